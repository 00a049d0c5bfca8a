-- `rw`: in sequence, backwards, at hypotheses, under a chosen instance, closing with rfl.
example (a b c : Nat) (h₁ : a = b) (h₂ : b = c) : a = c := by rw [h₁, h₂]

example (a b : Nat) (h : a = b) (ha : a * a = 4) : b * b = 4 := by
  rw [h] at ha
  exact ha

example (a b : Nat) (h : b = a) : a + 1 = b + 1 := by rw [← h]

example (a b c : Nat) : a + b + c = a + c + b := by
  rw [Nat.add_assoc, Nat.add_comm b, ← Nat.add_assoc]

example (f : Nat → Nat) (h : ∀ n, 0 < n → f n = 0) (n : Nat) : f (n + 1) = 0 := by
  rw [h]
  exact Nat.succ_pos n

example (a b : Nat) (f : Nat → Nat) (h : a = b) : f a + a = f b + b := by rw [h]

example (xs ys : List Nat) (h : xs.length = 3) : (xs ++ ys).length = 3 + ys.length := by
  rw [List.length_append, h]
