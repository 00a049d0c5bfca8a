-- Constructors are injective and disjoint: `injection`, `injections`, `subst`, `cases`.
example (a b : Nat) (h : a.succ = b.succ) : a = b := by
  injection h

example (a b c d : Nat) (h : [a, b] = [c, d]) : a = c ∧ b = d := by
  injection h with h₁ h₂
  injection h₂ with h₂ _
  exact ⟨h₁, h₂⟩

example (a b c d : Nat) (h : (a, b) = (c, d)) : b = d := by
  injections

example (x y z : Nat) (h : x = y) (h' : z = y) : x = z := by
  subst h
  exact h'.symm

example (a b : Nat) (f : Nat → Nat) (h : a = f b) (h' : f b = 3) : a = 3 := by
  subst h
  exact h'

example (a b : Nat) (h₁ : a = 2) (h₂ : b = a) : a + b = 4 := by
  subst_vars
  rfl
