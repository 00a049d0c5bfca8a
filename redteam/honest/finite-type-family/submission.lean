inductive Finite : Nat → Type
  | zero : Finite (n + 1)
  | succ : Finite n → Finite (n + 1)
def Finite.toNat : Finite n → Nat
  | zero => 0
  | succ i => i.toNat + 1
theorem target (i : Finite n) : i.toNat < n := by
  induction i with
  | zero => exact Nat.succ_pos _
  | succ i ih => exact Nat.succ_lt_succ ih
