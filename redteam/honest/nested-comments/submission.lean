/-- What is proved /- nested -/ here. -/
theorem target (n : Nat) : n + 0 = n := /- by sorry -/ by
  -- theorem target : False := by sorry
  /- exact /- no -/ sorry -/
  rfl
