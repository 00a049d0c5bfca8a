-- Permutations as an inductive relation: symmetric, length preserving.
inductive Perm {α : Type} : List α → List α → Prop where
  | nil : Perm [] []
  | cons (x : α) {xs ys : List α} (h : Perm xs ys) : Perm (x :: xs) (x :: ys)
  | swap (x y : α) (xs : List α) : Perm (y :: x :: xs) (x :: y :: xs)
  | trans {xs ys zs : List α} (h₁ : Perm xs ys) (h₂ : Perm ys zs) : Perm xs zs

infix:50 " ~ " => Perm

namespace Perm

variable {α : Type} {xs ys : List α}

theorem refl : (xs : List α) → xs ~ xs
  | [] => nil
  | x :: xs => cons x (refl xs)

theorem symm (h : xs ~ ys) : ys ~ xs := by
  induction h with
  | nil => exact nil
  | cons x _ ih => exact cons x ih
  | swap x y xs => exact swap y x xs
  | trans _ _ ih₁ ih₂ => exact trans ih₂ ih₁

theorem length_eq (h : xs ~ ys) : xs.length = ys.length := by
  induction h with
  | nil => rfl
  | cons _ _ ih => rw [List.length_cons, List.length_cons, ih]
  | swap => rfl
  | trans _ _ ih₁ ih₂ => exact ih₁.trans ih₂

theorem mem_iff {a : α} (h : xs ~ ys) : a ∈ xs ↔ a ∈ ys := by
  induction h with
  | nil => exact Iff.rfl
  | cons x _ ih => simp [ih]
  | swap x y xs => simp [or_left_comm]
  | trans _ _ ih₁ ih₂ => exact ih₁.trans ih₂

end Perm
