inductive Exp where
  | const (n : Nat)
  | plus (a b : Exp)
  | times (a b : Exp)
inductive Instr where | push (n : Nat) | add | mul
def Exp.eval : Exp → Nat
  | const n => n
  | plus a b => a.eval + b.eval
  | times a b => a.eval * b.eval
def Instr.run : Instr → List Nat → List Nat
  | push n, s => n :: s
  | add, x :: y :: s => (y + x) :: s
  | mul, x :: y :: s => (y * x) :: s
  | _, s => s
def exec (code : List Instr) (stack : List Nat) : List Nat := code.foldl (fun s i => i.run s) stack
def Exp.compile : Exp → List Instr
  | const n => [.push n]
  | plus a b => a.compile ++ b.compile ++ [.add]
  | times a b => a.compile ++ b.compile ++ [.mul]
theorem target (e : Exp) : exec e.compile [] = [e.eval] := by sorry
