-- `erw` needs a type of Lean's own library.
-- expect: error 4:2 is "Unknown constant `Lean.Meta.TransparencyMode`"
theorem t (a b : Nat) (h : a = b) : b = a := by
  erw [h]
