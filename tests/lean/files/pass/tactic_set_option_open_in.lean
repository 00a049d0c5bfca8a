-- `open ... in` and `set_option ... in` inside tactic blocks; `fail_if_success`, `trace_state`-free checks.
namespace Lemmas
theorem add_self (n : Nat) : n + n = 2 * n := by omega
end Lemmas

example (n : Nat) : n + n = 2 * n := by
  open Lemmas in exact add_self n

example (n : Nat) : n + n = 2 * n := by
  fail_if_success exact add_self n
  open Lemmas in
  rw [add_self]

example (a b : Nat) (h : a ≤ b) : a < b + 1 := by
  set_option maxRecDepth 1000 in
  omega
