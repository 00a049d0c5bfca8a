-- Conditionals: dependent and not, and how proofs go through them.
def clamp (lo hi x : Nat) : Nat := if x < lo then lo else if hi < x then hi else x

theorem clamp_le {lo hi : Nat} (h : lo ≤ hi) (x : Nat) : clamp lo hi x ≤ hi := by
  unfold clamp
  split
  · exact h
  · split <;> omega

def nth (xs : List Nat) (i : Nat) : Nat := if h : i < xs.length then xs[i] else 0

theorem nth_of_ge {xs : List Nat} {i : Nat} (h : xs.length ≤ i) : nth xs i = 0 := by
  unfold nth
  rw [dif_neg (by omega)]

theorem ite_same (p : Prop) [Decidable p] (n : Nat) : (if p then n else n) = n := by simp

theorem if_else_swap (p : Prop) [Decidable p] (a b : Nat) : (if p then a else b) = if ¬p then b else a := by
  by_cases h : p <;> simp [h]
