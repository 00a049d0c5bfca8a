axiom cheat : False
def pick (_ : False) (b : Bool) : Bool := b
theorem key : pick cheat true = true := rfl
theorem target (n : Nat) : n + 1 = n := by
  have := key
  exact cheat.elim
