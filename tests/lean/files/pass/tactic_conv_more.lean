-- `conv` with `enter`, `arg`, `rhs`, `pattern`, `change`, `simp` and in hypotheses.
example (f : Nat → Nat → Nat) (a b c : Nat) (h : b = c) : f a b = f a c := by
  conv =>
    lhs
    enter [2]
    rw [h]

example (a b : Nat) : (a + 0) * (b + 0) = a * b := by
  conv =>
    lhs
    arg 1
    simp
  rw [Nat.add_zero]

example (g : Nat → Nat) (h : ∀ x, g x = 1) : (fun y => g (g y) + 1) = fun _ => 2 := by
  conv =>
    lhs
    intro y
    rw [h]

example (a b c : Nat) (h : c = a * b + 1) : c = b * a + 1 := by
  conv at h =>
    rhs
    arg 1
    rw [Nat.mul_comm]
  exact h

example (a : Nat) : a * 1 + 0 = a := by
  conv in a * 1 => rw [Nat.mul_one]
  rw [Nat.add_zero]
