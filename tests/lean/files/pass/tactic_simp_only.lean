-- `simp only` uses nothing but what it is given.
theorem swap_sum (a b c : Nat) : a + b + c = c + (b + a) := by
  simp only [Nat.add_comm, Nat.add_left_comm]

example (p q r : Prop) : p ∧ q ∧ r ↔ r ∧ q ∧ p := by
  simp only [and_comm, and_left_comm]

def f (n : Nat) : Nat := n + 1

example (n : Nat) : f (f n) = n + 2 := by
  simp only [f]

example (xs : List Nat) (h : xs = []) : xs.length = 0 := by
  simp only [h, List.length_nil]

example (a b : Nat) (h : ¬(a = b)) : (a = b) = False := by
  simp only [h]
