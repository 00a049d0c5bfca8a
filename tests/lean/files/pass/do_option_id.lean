-- `do` in Option and Id: binding, patterns, early return, mutable variables, nested actions.
def lookup (k : Nat) : List (Nat × Nat) → Option Nat
  | [] => none
  | (k', v) :: rest => if k = k' then some v else lookup k rest

def follow (t : List (Nat × Nat)) (k : Nat) : Option Nat := do
  let a ← lookup k t
  let b ← lookup a t
  if b == 0 then
    none
  else
    pure (b * 2)

example : follow [(1, 2), (2, 5)] 1 = some 10 := rfl
example : follow [(1, 2)] 1 = none := rfl
example : follow [(1, 2), (2, 0)] 1 = none := rfl

def addBoth (x y : Option Nat) : Option Nat := do
  return (← x) + (← y)

example : addBoth (some 2) (some 3) = some 5 := rfl

def firstOfPair (o : Option (Nat × Nat)) : Option Nat := do
  let (a, _) ← o
  return a

example : firstOfPair (some (3, 4)) = some 3 := rfl

def swapped : Nat × Nat := Id.run do
  let mut a := 1
  let mut b := 2
  let t := a
  a := b
  b := t
  return (a, b)

example : swapped = (2, 1) := rfl
