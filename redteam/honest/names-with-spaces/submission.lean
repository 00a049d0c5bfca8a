def «the answer» : Nat := 42
theorem «a target; with (spaces)» : «the answer» = 6 * 7 := rfl
