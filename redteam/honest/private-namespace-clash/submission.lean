namespace A
private theorem same : 1 = 1 := rfl
end A
theorem same : 2 = 2 := rfl
theorem target : 1 = 1 ∧ 2 = 2 := by
  open A in exact ⟨A.same, _root_.same⟩
