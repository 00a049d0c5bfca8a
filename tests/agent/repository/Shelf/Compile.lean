import Shelf.Machine

/-! From expressions to the machine. -/

namespace Shelf

def compile : Expr → List Instruction
  | .const n => [.push n]
  | .var x => [.load x]
  | .plus a b => compile a ++ compile b ++ [.add]
  | .times a b => compile a ++ compile b ++ [.mul]

theorem exec_compile (e : Expr) (env : Expr.Env) (stack : List Nat) :
    exec env (compile e) stack = e.eval env :: stack := by
  sorry

/-- The whole program leaves the expression's value, and nothing else. -/
theorem compile_correct (e : Expr) (env : Expr.Env) : exec env (compile e) [] = [e.eval env] := by
  sorry

end Shelf
