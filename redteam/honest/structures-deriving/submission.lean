structure P where
  a : Nat
  b : Bool
  deriving DecidableEq, Repr, Inhabited
theorem target : P.mk 1 true ≠ P.mk 2 true := by decide
