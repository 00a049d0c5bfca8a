-- Induction on a derivation whose index is not a variable.
-- expect: error 8:2 contains "Invalid target: Index in target's type is not a variable"
inductive Even : Nat → Prop where
  | zero : Even 0
  | step {n : Nat} (h : Even n) : Even (n + 2)

theorem even_of_step (n : Nat) (h : Even (n + 2)) : Even n := by
  induction h with
  | zero => exact .zero
  | step h _ => exact h
