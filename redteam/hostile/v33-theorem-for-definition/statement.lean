def witness : { n : Nat // n < 9 } := ⟨3, by decide⟩
def val : Nat := witness.1
theorem target : val = 4 := by sorry
