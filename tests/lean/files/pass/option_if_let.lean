-- Working with optional values: `if let`, `let some ... |`, `<|>`, `filter`, `Option.getD`.
def parse (s : List Char) : Option Nat :=
  match s with
  | ['0'] => some 0
  | ['1'] => some 1
  | _ => none

def orZero (s : List Char) : Nat := if let some n := parse s then n else 0

def addParsed (a b : List Char) : Option Nat := do
  let some x := parse a | none
  let y ← parse b
  if x + y > 1 then failure
  return x + y

example : orZero ['1'] = 1 := rfl
example : orZero ['x'] = 0 := rfl
example : addParsed ['0'] ['1'] = some 1 := rfl
example : addParsed ['1'] ['1'] = none := rfl
example : (parse ['?']).getD 7 = 7 := rfl
example : ((some 4).filter fun n => n % 2 == 1) = none := rfl
