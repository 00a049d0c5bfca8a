theorem target (a b c : Nat) (h : a - b = c + 1) : b < a ∧ (c < a ∨ c = a) ∧ a - c = b + 1 := by omega
