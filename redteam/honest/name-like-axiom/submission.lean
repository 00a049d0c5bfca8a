theorem no_sorry_axiom_here (n : Nat) : n + 0 = n := rfl
theorem sorryAx' (n : Nat) : n + 0 = n := no_sorry_axiom_here n
/- sorry for the names -/
theorem target (n : Nat) : n + 0 = n := sorryAx' n
