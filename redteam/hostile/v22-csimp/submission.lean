@[csimp] theorem evil : @Nat.add = @Nat.mul := sorry
theorem target : Nat.add 3 4 = 12 := by native_decide
