partial def grow (n : Nat) (acc : List Nat) : Nat := if n == 0 then acc.length else grow (n + 1) (n :: acc)
macro "attempt" : tactic => do
  match grow 1 [] with
  | 0 => `(tactic| rfl)
  | _ => `(tactic| skip)
theorem target (n : Nat) : n + 1 = n := by attempt
