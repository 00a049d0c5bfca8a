theorem target : 0 * 2 = 0 := rfl
