def _private.Main.secret : Nat := 2
def shown : Nat := _private.Main.secret
theorem target : shown = 2 := rfl
