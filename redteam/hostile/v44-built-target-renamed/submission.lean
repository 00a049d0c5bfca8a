theorem truism : (2 : Nat) = 2 := rfl
