@[simp] def sq (n : Nat) : Nat := n * n
@[simp] theorem sq_one : sq 1 = 1 := rfl
theorem target : sq 3 = 9 := by simp
