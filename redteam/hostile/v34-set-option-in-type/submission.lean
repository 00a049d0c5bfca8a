theorem target : (3 : Nat) / 2 * 2 + 1 = 3 := set_option maxRecDepth 100 in rfl
