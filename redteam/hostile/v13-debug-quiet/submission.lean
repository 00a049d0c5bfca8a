set_option warn.sorry false
set_option debug.byAsSorry true in
theorem target (n : Nat) : n + 1 = n := by
  induction n with
  | zero => simp
  | succ n ih => omega
