partial def spin (n : Nat) : Nat := if n == 1 then 0 else spin (n + 2)
macro "attempt" : tactic => do
  match spin 2 with
  | 0 => `(tactic| rfl)
  | _ => `(tactic| skip)
theorem target (n : Nat) : n + 1 = n := by attempt
