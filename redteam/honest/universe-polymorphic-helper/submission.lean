universe u v
structure Pair (α : Type u) (β : Type v) : Type (max u v) where
  fst : α
  snd : β
def Dep (α : Sort u) (β : α → Sort v) : Sort (imax u v) := (a : α) → β a
theorem mk_fst {α : Type u} {β : Type v} (a : α) (b : β) : (Pair.mk a b).fst = a := rfl
theorem target (n : Nat) : n = n := (mk_fst n (PUnit.unit : PUnit.{3})).symm.symm
