prelude
import Init.NatLemmas
/-! `sizeOf`: types declared in modules that import this one get an instance by themselves. -/
set_option linter.all false
universe u v w
class SizeOf (α : Sort u) where
  sizeOf : α → Nat
export SizeOf (sizeOf)
protected def default.sizeOf (α : Sort u) : α → Nat | _ => 0
instance (priority := low) instSizeOfDefault (α : Sort u) : SizeOf α := ⟨default.sizeOf α⟩
@[simp] theorem sizeOf_default (n : α) : sizeOf n = 0 := rfl
instance instSizeOfNat : SizeOf Nat := ⟨fun n => n⟩
@[simp] theorem sizeOf_nat (n : Nat) : sizeOf n = n := rfl
instance [SizeOf α] : SizeOf (Unit → α) := ⟨fun f => sizeOf (f ())⟩
@[simp] theorem sizeOf_thunk [SizeOf α] (f : Unit → α) : sizeOf f = sizeOf (f ()) := rfl
deriving instance SizeOf for PUnit, Bool, Prod, PProd, MProd, Subtype, Sum, PSum, Sigma, PSigma, Option, List, Except, Decidable, PLift, ULift, Fin, BitVec, UInt32, Char, String, Array, Lean.Name
