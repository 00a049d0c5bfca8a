theorem target' (n : Nat) : n + 1 = n.succ := rfl
