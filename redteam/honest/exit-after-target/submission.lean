theorem target (n : Nat) : n + 0 = n := rfl
#exit
this is not Lean
