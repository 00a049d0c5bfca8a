-- Halving recursion whose termination omega proves.
def log2 (n : Nat) : Nat :=
  if n < 2 then 0 else log2 (n / 2) + 1
termination_by n

theorem log2_lt_two : log2 1 = 0 := by
  unfold log2
  simp

theorem log2_le_self (n : Nat) : log2 n ≤ n := by
  induction n using log2.induct with
  | case1 n h =>
    unfold log2
    simp [h]
  | case2 n h ih =>
    unfold log2
    rw [if_neg h]
    omega
