class Provable (p : Prop) where
  proof : p
axiom everything (p : Prop) : Provable p
attribute [instance] everything
theorem target (n : Nat) : n + 1 = n := Provable.proof
