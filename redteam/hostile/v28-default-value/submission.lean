structure Opt where
  size : Nat := 4
theorem target : ({} : Opt).size = 4 := rfl
