-- A small arithmetic language embedded with its own syntax category.
inductive Arith where
  | num (n : Nat)
  | add (a b : Arith)
  | mul (a b : Arith)

declare_syntax_cat arith
syntax num : arith
syntax:50 arith:50 " + " arith:51 : arith
syntax:60 arith:60 " * " arith:61 : arith
syntax "(" arith ")" : arith
syntax "[arith| " arith "]" : term

macro_rules
  | `([arith| $n:num]) => `(Arith.num $n)
  | `([arith| $a + $b]) => `(Arith.add [arith| $a] [arith| $b])
  | `([arith| $a * $b]) => `(Arith.mul [arith| $a] [arith| $b])
  | `([arith| ($a)]) => `([arith| $a])

def Arith.eval : Arith → Nat
  | num n => n
  | add a b => a.eval + b.eval
  | mul a b => a.eval * b.eval

example : [arith| 2 + 3 * 4].eval = 14 := rfl
example : [arith| (2 + 3) * 4].eval = 20 := rfl
