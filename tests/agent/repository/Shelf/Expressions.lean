/-! Arithmetic expressions and what they mean. -/

namespace Shelf

inductive Expr where
  | const (n : Nat)
  | var (x : Nat)
  | plus (a b : Expr)
  | times (a b : Expr)

namespace Expr

abbrev Env := Nat → Nat

def eval (e : Expr) (env : Env) : Nat :=
  match e with
  | const n => n
  | var x => env x
  | plus a b => a.eval env + b.eval env
  | times a b => a.eval env * b.eval env

def leaves : Expr → Nat
  | const _ => 1
  | var _ => 1
  | plus a b => a.leaves + b.leaves
  | times a b => a.leaves + b.leaves

/-- Puts `e` in the place of the variable `x`. -/
def subst (x : Nat) (e : Expr) : Expr → Expr
  | const n => const n
  | var y => if x = y then e else var y
  | plus a b => plus (subst x e a) (subst x e b)
  | times a b => times (subst x e a) (subst x e b)

theorem leaves_pos (e : Expr) : 0 < e.leaves := by
  sorry

theorem eval_subst (x : Nat) (e a : Expr) (env : Env) :
    (subst x e a).eval env = a.eval (fun y => if x = y then e.eval env else env y) := by
  sorry

end Expr

end Shelf
