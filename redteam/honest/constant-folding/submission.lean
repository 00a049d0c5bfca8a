inductive E where
  | num (n : Nat) | var (x : String) | add (a b : E)
def E.eval (env : String → Nat) : E → Nat
  | .num n => n
  | .var x => env x
  | .add a b => a.eval env + b.eval env
def E.smart : E → E → E
  | .num m, .num n => .num (m + n)
  | .num 0, e => e
  | e, .num 0 => e
  | a, b => .add a b
def E.fold : E → E
  | .add a b => a.fold.smart b.fold
  | e => e
theorem E.eval_smart (env) (a b : E) : (a.smart b).eval env = a.eval env + b.eval env := by
  unfold E.smart
  split <;> simp [E.eval]
theorem target (env : String → Nat) (e : E) : e.fold.eval env = e.eval env := by
  induction e with
  | num | var => rfl
  | add a b iha ihb => simp only [E.fold, E.eval_smart, iha, ihb, E.eval]
