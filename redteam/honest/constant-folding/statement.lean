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
theorem target (env : String → Nat) (e : E) : e.fold.eval env = e.eval env := by sorry
