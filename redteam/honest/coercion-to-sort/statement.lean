structure Pointed where
  carrier : Type
  base : carrier
instance : CoeSort Pointed Type := ⟨Pointed.carrier⟩
theorem target (P : Pointed) (f : P → Nat) : ∃ p : P, f p = f P.base := by sorry
