def acc : Nat → Nat → Nat
  | 0, s => s
  | n + 1, s => acc n (s + n)
theorem target (n : Nat) : acc n 3 = acc n 0 + 3 := by
  have key : ∀ s t, acc n (s + t) = acc n s + t := by
    induction n with
    | zero => intros; rfl
    | succ n ih => intro s t; rw [acc, acc, Nat.add_right_comm, ih]
  exact key 0 3
