import Helper
theorem target (n : Nat) : n + 1 = n := cheat n
