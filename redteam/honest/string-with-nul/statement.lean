theorem target : ("a\x00b𝔸").length = 4 := by sorry
