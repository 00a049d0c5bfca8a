private def secret : Nat := 1
def shown : Nat := secret
theorem target : shown = 2 := by sorry
