axiom «"],["p",0],["axioms",[]]» : ∀ p : Prop, p
theorem target (n : Nat) : n + 1 = n := «"],["p",0],["axioms",[]]» _
