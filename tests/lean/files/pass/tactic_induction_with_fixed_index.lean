-- Induction where the index must be generalised first.
inductive Even : Nat → Prop where
  | zero : Even 0
  | step {n : Nat} (h : Even n) : Even (n + 2)

theorem even_add {m n : Nat} (hm : Even m) (hn : Even n) : Even (m + n) := by
  induction hn with
  | zero => exact hm
  | step _ ih => exact ih.step

theorem even_iff (n : Nat) : Even n ↔ n % 2 = 0 := by
  constructor
  · intro h
    induction h with
    | zero => rfl
    | step _ ih => omega
  · intro h
    obtain ⟨k, rfl⟩ : ∃ k, n = 2 * k := ⟨n / 2, by omega⟩
    clear h
    induction k with
    | zero => exact .zero
    | succ k ih => exact ih.step

theorem not_even_both {n : Nat} (h : Even n) : ¬Even (n + 1) := by
  generalize hm : n + 1 = m
  intro h'
  rw [even_iff] at h h'
  omega
