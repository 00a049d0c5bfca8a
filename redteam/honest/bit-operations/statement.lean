theorem target : 0b1100 &&& 0b1010 = 0b1000 ∧ 0xff ^^^ 0x0f = 0xf0 ∧ 1 <<< 10 = 1024 := by sorry
