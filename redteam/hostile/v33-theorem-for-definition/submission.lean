theorem bound : 4 < 9 := by decide
def witness : { n : Nat // n < 9 } := ⟨4, bound⟩
def val : Nat := witness.1
theorem target : val = 4 := rfl
