theorem target : 4 = 4 := rfl
