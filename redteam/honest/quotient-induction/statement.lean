def parity : Setoid Nat where
  r a b := a % 2 = b % 2
  iseqv := ⟨fun _ => rfl, Eq.symm, Eq.trans⟩
def bit : Quotient parity → Nat := Quotient.lift (· % 2) fun _ _ h => h
theorem target (q : Quotient parity) : bit q < 2 := by sorry
