def f (n : Nat) : Nat := n
@[simp] theorem there (n : Nat) : f n = f (n + 0) + 0 := rfl
theorem target (n : Nat) : f n = f (n + 1) := by simp [there, there, Nat.add_comm]
