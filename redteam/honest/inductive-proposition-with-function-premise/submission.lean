inductive Accs (r : α → α → Prop) : α → Prop
  | intro (x : α) (h : ∀ y, r y x → Accs r y) : Accs r x
theorem target (n : Nat) : Accs (· < ·) n := by
  suffices h : ∀ m, m ≤ n → Accs (· < ·) m from h n (Nat.le_refl n)
  induction n with
  | zero => exact fun m hm => .intro m fun y hy => by omega
  | succ n ih => exact fun m hm => .intro m fun y hy => ih y (by omega)
