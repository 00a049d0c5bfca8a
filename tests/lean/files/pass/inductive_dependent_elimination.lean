-- Elimination of indexed families: cases that cannot happen disappear.
inductive Fin' : Nat → Type where
  | zero {n : Nat} : Fin' (n + 1)
  | succ {n : Nat} (i : Fin' n) : Fin' (n + 1)

namespace Fin'

def toNat : {n : Nat} → Fin' n → Nat
  | _, zero => 0
  | _, succ i => i.toNat + 1

theorem toNat_lt : {n : Nat} → (i : Fin' n) → i.toNat < n
  | _, zero => Nat.succ_pos _
  | _, succ i => Nat.succ_lt_succ i.toNat_lt

theorem no_elements (i : Fin' 0) : False := by cases i

theorem of_one (i : Fin' 1) : i = zero := by
  cases i with
  | zero => rfl
  | succ i => cases i

end Fin'
