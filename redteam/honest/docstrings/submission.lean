/-! A module text. -/
/-- The theorem. -/
@[simp] theorem target (a : Nat) : a + 0 = a := rfl
