theorem target (a : α) (xs ys : List α) : a ∈ xs ++ ys ↔ a ∈ ys ∨ a ∈ xs := by
  rw [List.mem_append]
  exact ⟨Or.symm, Or.symm⟩
