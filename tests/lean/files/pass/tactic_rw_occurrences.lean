-- Rewriting at several places, in both hypothesis and goal, with explicit instances.
example (a b c : Nat) (h : a = b) (h₁ : a + c = 5) : b + c = 5 ∧ b = a := by
  rw [h] at h₁ ⊢
  exact ⟨h₁, rfl⟩

example (a b c : Nat) : a * b * c = a * (c * b) := by
  rw [Nat.mul_assoc, Nat.mul_comm b c]

example (a b : Nat) (f : Nat → Nat) (hf : ∀ x y, f (x + y) = f x + f y) : f (a + b + a) = f a + f b + f a := by
  rw [hf (a + b), hf a b]

example (p q : Nat → Prop) (h : ∀ n, p n ↔ q n) (hq : q 2) : p 2 := by
  rw [h]
  exact hq

example (a b : Nat) (h : ¬a = b) (e : (a = b) = (b = a)) : ¬b = a := by
  rw [← e]
  exact h

example (x y : Nat) (h : x = y) : (fun n => n + x) = fun n => n + y := by
  rw [h]
