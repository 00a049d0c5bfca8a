-- Intrinsically typed expressions with an evaluator that cannot fail.
inductive Ty where
  | nat | bool

abbrev Ty.denote : Ty → Type
  | nat => Nat
  | bool => Bool

inductive Tm : Ty → Type where
  | lit (n : Nat) : Tm .nat
  | tt : Tm .bool
  | add (a b : Tm .nat) : Tm .nat
  | le (a b : Tm .nat) : Tm .bool
  | ite {t : Ty} (c : Tm .bool) (a b : Tm t) : Tm t

def Tm.eval : {t : Ty} → Tm t → t.denote
  | _, lit n => n
  | _, tt => true
  | _, add a b => a.eval + b.eval
  | _, le a b => decide (a.eval ≤ b.eval)
  | _, ite c a b => if c.eval then a.eval else b.eval

example : (Tm.ite (.le (.lit 2) (.lit 3)) (.add (.lit 1) (.lit 1)) (.lit 0)).eval = (2 : Nat) := rfl

def Tm.simplify : {t : Ty} → Tm t → Tm t
  | _, ite .tt a _ => a
  | _, e => e
