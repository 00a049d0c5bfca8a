-- Inductive predicates: less-or-equal from scratch, with inversion.
inductive Le : Nat → Nat → Prop where
  | refl (n : Nat) : Le n n
  | step {m n : Nat} (h : Le m n) : Le m (n + 1)

namespace Le

theorem zero (n : Nat) : Le 0 n := by
  induction n with
  | zero => exact refl 0
  | succ n ih => exact step ih

theorem succ {m n : Nat} (h : Le m n) : Le (m + 1) (n + 1) := by
  induction h with
  | refl => exact refl _
  | step _ ih => exact step ih

theorem trans {a b c : Nat} (h₁ : Le a b) (h₂ : Le b c) : Le a c := by
  induction h₂ with
  | refl => exact h₁
  | step _ ih => exact step ih

theorem iff_le {m n : Nat} : Le m n ↔ m ≤ n := by
  constructor
  · intro h
    induction h with
    | refl => exact Nat.le_refl _
    | step _ ih => exact Nat.le_succ_of_le ih
  · intro h
    induction h with
    | refl => exact refl _
    | step _ ih => exact step ih

end Le
