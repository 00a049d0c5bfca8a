structure Version where
  major : Nat
  minor : Nat
  deriving Ord, DecidableEq
theorem target : compare (Version.mk 1 9) (Version.mk 2 0) = .lt := by sorry
