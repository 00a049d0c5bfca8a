def bound : Nat := 0
theorem target : ∀ n : Nat, n < bound → n < 3 := fun n h => absurd h (Nat.not_lt_zero n)
