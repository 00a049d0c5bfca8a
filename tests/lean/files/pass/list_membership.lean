-- Membership in lists, and list-bounded quantifiers.
example : 2 ∈ [1, 2, 3] := by decide
example : 5 ∉ [1, 2, 3] := by decide
example : ∀ x ∈ [2, 4, 6], x % 2 = 0 := by decide
example : ∃ x ∈ [1, 3, 8], x % 2 = 0 := ⟨8, by decide, by decide⟩

theorem mem_append_left' {α : Type} {a : α} {xs : List α} (ys : List α) (h : a ∈ xs) : a ∈ xs ++ ys :=
  List.mem_append.mpr (Or.inl h)

theorem mem_map_of_mem' {α β : Type} {a : α} {xs : List α} (f : α → β) (h : a ∈ xs) : f a ∈ xs.map f :=
  List.mem_map.mpr ⟨a, h, rfl⟩

theorem cases_mem (n : Nat) (h : n ∈ [1, 2, 3]) : n = 1 ∨ n = 2 ∨ n = 3 := by
  simpa using h

theorem subset_trans {α : Type} {xs ys zs : List α} (h₁ : ∀ a ∈ xs, a ∈ ys) (h₂ : ∀ a ∈ ys, a ∈ zs) :
    ∀ a ∈ xs, a ∈ zs := fun a ha => h₂ a (h₁ a ha)
