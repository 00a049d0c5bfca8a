-- A quotient: integers modulo two from natural numbers.
def sameParity (m n : Nat) : Prop := m % 2 = n % 2

instance paritySetoid : Setoid Nat where
  r := sameParity
  iseqv := {
    refl := fun _ => rfl
    symm := fun h => h.symm
    trans := fun h₁ h₂ => h₁.trans h₂
  }

def Parity := Quotient paritySetoid

def Parity.flip : Parity → Parity :=
  Quotient.lift (fun n => Quotient.mk _ (n + 1)) fun m n (h : sameParity m n) =>
    Quotient.sound (show (m + 1) % 2 = (n + 1) % 2 by unfold sameParity at h; omega)

theorem flip_flip (p : Parity) : p.flip.flip = p := by
  induction p using Quotient.ind with
  | _ n => exact Quotient.sound (show (n + 1 + 1) % 2 = n % 2 by omega)
