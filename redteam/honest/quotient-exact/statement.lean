def mod3 : Setoid Nat := ⟨fun a b => a % 3 = b % 3, fun _ => rfl, Eq.symm, Eq.trans⟩
theorem target (a b : Nat) : Quotient.mk mod3 a = Quotient.mk mod3 b ↔ a % 3 = b % 3 := by sorry
