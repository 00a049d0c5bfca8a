def countdown (n : Nat) : List Nat :=
  if h : 0 < n then n :: countdown (n - 1) else []
termination_by n
theorem target (n : Nat) : (countdown n).length = n := by sorry
