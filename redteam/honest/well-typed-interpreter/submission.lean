inductive Ty where | nat | bool
@[reducible] def Ty.denote : Ty → Type
  | nat => Nat
  | bool => Bool
inductive Tm : Ty → Type
  | num : Nat → Tm .nat
  | plus : Tm .nat → Tm .nat → Tm .nat
  | isZero : Tm .nat → Tm .bool
  | ite : Tm .bool → Tm τ → Tm τ → Tm τ
def Tm.eval : Tm τ → τ.denote
  | num n => n
  | plus a b => a.eval + b.eval
  | isZero a => a.eval == 0
  | ite c a b => if c.eval then a.eval else b.eval
theorem target (c : Tm .bool) (t : Tm τ) : (Tm.ite c t t).eval = t.eval := by
  simp [Tm.eval]
