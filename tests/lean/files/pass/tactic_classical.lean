-- `classical`, `by_cases` on an undecidable proposition, `if` with a classical instance.
theorem choose_bool (p : Prop) : ∃ b : Bool, b = true ↔ p := by
  by_cases h : p
  · exact ⟨true, by simp [h]⟩
  · exact ⟨false, by simp [h]⟩

open Classical in
noncomputable def indicator {α : Type} (s : α → Prop) (a : α) : Nat := if s a then 1 else 0

open Classical in
theorem indicator_le_one {α : Type} (s : α → Prop) (a : α) : indicator s a ≤ 1 := by
  unfold indicator
  split <;> decide

theorem exists_indicator (p : Nat → Prop) : ∃ f : Nat → Nat, ∀ n, f n = 1 ↔ p n := by
  classical
  refine ⟨fun n => if p n then 1 else 0, fun n => ?_⟩
  by_cases h : p n <;> simp [h]
