inductive Day where
  | mon | tue | wed
  deriving DecidableEq, Repr, BEq
theorem target (d : Day) (h : d ≠ .mon) (h' : d ≠ .tue) : d = .wed := by sorry
