-- `conv`: navigating to a subterm.
example (a b c : Nat) : a * b + c = b * a + c := by
  conv =>
    lhs
    rw [Nat.mul_comm]

example (a b : Nat) (h : a = b) : a + a = b + a := by
  conv => lhs; arg 1; rw [h]

example (f : Nat → Nat) (h : ∀ x, f x = x) : (fun x => f x + 0) = id := by
  conv =>
    lhs
    ext x
    rw [h, Nat.add_zero]
  rfl

example (a b c : Nat) (h : a + b = c) : b + a = c := by
  conv at h => lhs; rw [Nat.add_comm]
  exact h

example (a b c : Nat) : (a + b) + c = (b + a) + c := by
  conv in a + b => rw [Nat.add_comm]
