axiom «x' does not depend on any axioms
'target» : ∀ {p : Prop}, p
theorem target (n : Nat) : n + 1 = n := «x' does not depend on any axioms
'target»
