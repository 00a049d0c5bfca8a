-- `intro` when the goal is no implication or quantifier.
-- expect: error 4:8 contains "Tactic `introN` failed: There are no additional binders or `let` bindings in the goal to introduce"
theorem t (a : Nat) : a = a := by
  intro h
