-- Maximum and minimum of natural numbers.
example (a b : Nat) : max a b = max b a := Nat.max_comm a b
example (a b : Nat) : a ≤ max a b := Nat.le_max_left a b
example (a b : Nat) : min a b ≤ b := Nat.min_le_right a b
example (a b c : Nat) (h₁ : a ≤ c) (h₂ : b ≤ c) : max a b ≤ c := Nat.max_le.mpr ⟨h₁, h₂⟩
example (a b : Nat) : min a b + max a b = a + b := by omega
example : max 3 7 = 7 := rfl

theorem max_def' (a b : Nat) : max a b = if a ≤ b then b else a := Nat.max_def
