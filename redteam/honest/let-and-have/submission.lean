theorem target (n : Nat) : let m := n + 1; m = n.succ := by
  intro m
  rfl
