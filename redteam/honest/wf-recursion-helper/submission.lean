def log (n : Nat) : Nat := if h : n ≤ 1 then 0 else log (n / 2) + 1
termination_by n
theorem target (n : Nat) : n = 0 ∨ 0 < n :=
  if h : n = 0 then .inl h else
    match target (n - 1) with
    | _ => .inr (by omega)
termination_by n
