theorem target (n : Nat) : 0 + n = n := by
  set_option trace.Meta.Tactic.simp.rewrite true in
  simp
