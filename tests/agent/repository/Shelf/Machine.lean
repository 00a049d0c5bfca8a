import Shelf.Expressions

/-! A machine with a stack. -/

namespace Shelf

inductive Instruction where
  | push (n : Nat)
  | load (x : Nat)
  | add
  | mul

def step (env : Expr.Env) : Instruction → List Nat → List Nat
  | .push n, stack => n :: stack
  | .load x, stack => env x :: stack
  | .add, b :: a :: stack => (a + b) :: stack
  | .mul, b :: a :: stack => (a * b) :: stack
  | _, stack => stack

def exec (env : Expr.Env) : List Instruction → List Nat → List Nat
  | [], stack => stack
  | i :: rest, stack => exec env rest (step env i stack)

theorem exec_append (env : Expr.Env) (p q : List Instruction) (stack : List Nat) :
    exec env (p ++ q) stack = exec env q (exec env p stack) := by
  sorry

end Shelf
