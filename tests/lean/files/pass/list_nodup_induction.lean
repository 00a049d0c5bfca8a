-- A property by recursion on a list, with decidable membership.
def NoDup {α : Type} : List α → Prop
  | [] => True
  | x :: xs => x ∉ xs ∧ NoDup xs

def dedup {α : Type} [DecidableEq α] : List α → List α
  | [] => []
  | x :: xs => if x ∈ xs then dedup xs else x :: dedup xs

theorem mem_dedup {α : Type} [DecidableEq α] (a : α) (xs : List α) : a ∈ dedup xs ↔ a ∈ xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih =>
    unfold dedup
    split
    next h =>
      rw [ih]
      constructor
      · exact fun ha => List.mem_cons.mpr (.inr ha)
      · intro ha
        rcases List.mem_cons.mp ha with rfl | ha
        · exact h
        · exact ha
    next => simp [ih]

theorem noDup_dedup {α : Type} [DecidableEq α] (xs : List α) : NoDup (dedup xs) := by
  induction xs with
  | nil => trivial
  | cons x xs ih =>
    unfold dedup
    split
    · exact ih
    next h => exact ⟨fun hx => h ((mem_dedup x xs).mp hx), ih⟩
