-- A compiler from expressions to a stack machine is correct.
inductive Expr where
  | const (n : Nat)
  | plus (a b : Expr)
  | times (a b : Expr)

inductive Instr where
  | push (n : Nat)
  | add
  | mul

def Expr.eval : Expr → Nat
  | const n => n
  | plus a b => a.eval + b.eval
  | times a b => a.eval * b.eval

def Instr.exec : Instr → List Nat → List Nat
  | push n, s => n :: s
  | add, a :: b :: s => (b + a) :: s
  | mul, a :: b :: s => (b * a) :: s
  | _, s => s

def run : List Instr → List Nat → List Nat
  | [], s => s
  | i :: is, s => run is (i.exec s)

def Expr.compile : Expr → List Instr
  | const n => [.push n]
  | plus a b => a.compile ++ b.compile ++ [.add]
  | times a b => a.compile ++ b.compile ++ [.mul]

theorem run_append (xs ys : List Instr) (s : List Nat) : run (xs ++ ys) s = run ys (run xs s) := by
  induction xs generalizing s with
  | nil => rfl
  | cons x xs ih => exact ih _

theorem compile_correct (e : Expr) (s : List Nat) : run e.compile s = e.eval :: s := by
  induction e generalizing s with
  | const n => rfl
  | plus a b iha ihb => simp [Expr.compile, run_append, iha, ihb, run, Instr.exec, Expr.eval]
  | times a b iha ihb => simp [Expr.compile, run_append, iha, ihb, run, Instr.exec, Expr.eval]
