-- `simp`: rewriting to normal form, with lemmas, hypotheses, definitions, and erased lemmas.
@[simp] def double (n : Nat) : Nat := n + n

theorem double_zero : double 0 = 0 := by simp

def triple (n : Nat) : Nat := double n + n

example (n : Nat) (h : n = 2) : triple n = 6 := by simp [triple, h]

@[simp] theorem triple_zero : triple 0 = 0 := rfl

example (xs ys : List Nat) : (xs ++ [] ++ ys).length = xs.length + ys.length := by simp
example (p q : Prop) (hp : p) : p ∨ q := by simp [hp]
example (p : Prop) : (p ∧ True) = p := by simp
example (f : Nat → Nat) (h : ∀ n, f n = 0) : f (f 3) + triple 0 = 0 := by simp [h]
example (a b : Nat) (h : a = b) : [a, b].map double = [b + b, a + a] := by simp [← h]
example (x : Nat) (h : 0 < x) : x ≠ 0 := by
  simp [Nat.pos_iff_ne_zero] at h
  exact h
