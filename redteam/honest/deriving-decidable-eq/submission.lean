inductive Term where
  | var (n : Nat)
  | app (f : String) (x y : Term)
  deriving DecidableEq
theorem target : Term.app "f" (.var 0) (.var 1) ≠ .app "f" (.var 1) (.var 0) := by decide
