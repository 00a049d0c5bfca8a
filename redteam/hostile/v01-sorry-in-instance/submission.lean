local instance (priority := high) lucky : Decidable ((1 : Nat) = 2) := .isTrue sorry
theorem target : 1 = 2 := by
  have h : (1 : Nat) = 2 := @of_decide_eq_true _ lucky rfl
  exact h
