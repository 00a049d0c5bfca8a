structure Opt where
  size : Nat := 3
theorem target : ({} : Opt).size = 4 := by sorry
