namespace A
private theorem same : 1 = 1 := rfl
end A
theorem target : 1 = 1 ∧ 2 = 2 := by sorry
