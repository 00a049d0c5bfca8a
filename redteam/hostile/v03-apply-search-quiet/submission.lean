set_option warn.sorry false in
theorem target (n : Nat) : n + 1 = n := by
  refine Eq.trans ?_ rfl
  apply?
