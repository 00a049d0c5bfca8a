inductive Bin where | z | twice (b : Bin) | twicePlus (b : Bin)
def Bin.val : Bin → Nat
  | z => 0
  | twice b => 2 * b.val
  | twicePlus b => 2 * b.val + 1
def Bin.inc : Bin → Bin
  | z => twicePlus z
  | twice b => twicePlus b
  | twicePlus b => twice b.inc
theorem target (b : Bin) : b.inc.val = b.val + 1 := by
  induction b with
  | z => rfl
  | twice b => rfl
  | twicePlus b ih => simp only [Bin.inc, Bin.val, ih]; omega
