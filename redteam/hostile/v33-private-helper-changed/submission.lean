private def secret : Nat := 2
def shown : Nat := secret
theorem target : shown = 2 := rfl
