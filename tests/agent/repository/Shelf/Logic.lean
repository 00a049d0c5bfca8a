/-! Propositions and decisions. -/

namespace Shelf

inductive Parity : Nat → Prop where
  | zero : Parity 0
  | step (n : Nat) (h : Parity n) : Parity (n + 2)

theorem exists_not_of_not_forall (p : Nat → Prop) (h : ¬∀ n, p n) : ∃ n, ¬p n := by
  sorry

theorem Parity.double (n : Nat) : Parity (n + n) := by
  sorry

theorem Parity.add (m n : Nat) (hm : Parity m) (hn : Parity n) : Parity (m + n) := by
  sorry

theorem not_parity_one : ¬Parity 1 := by
  sorry

end Shelf
