-- A plain `def` hides its value from `simp` and instance search until it is unfolded.
def Price := Nat

instance : Add Price := inferInstanceAs (Add Nat)

theorem add_comm' (a b : Price) : a + b = b + a := Nat.add_comm a b

def zero : Price := (0 : Nat)

theorem add_zero' (a : Price) : a + zero = a := Nat.add_zero a

@[irreducible] def hidden : Nat := 5
example : hidden = 5 := by unfold hidden; rfl
