-- Loops in `do`: for over lists and arrays, break, continue, return from inside.
def sumEven (xs : List Nat) : Nat := Id.run do
  let mut s := 0
  for x in xs do
    if x % 2 == 1 then continue
    s := s + x
  return s

example : sumEven [1, 2, 3, 4] = 6 := rfl

def findIndex (p : Nat → Bool) (xs : List Nat) : Option Nat := Id.run do
  let mut i := 0
  for x in xs do
    if p x then return some i
    i := i + 1
  return none

example : findIndex (· > 2) [1, 5, 3] = some 1 := rfl
example : findIndex (· > 9) [1, 5, 3] = none := rfl

def prefixSum (limit : Nat) (xs : List Nat) : Nat := Id.run do
  let mut s := 0
  for x in xs do
    if s + x > limit then break
    s := s + x
  return s

example : prefixSum 6 [1, 2, 3, 4] = 6 := rfl

def pairs (xs ys : List Nat) : List (Nat × Nat) := Id.run do
  let mut acc := []
  for x in xs do
    for y in ys do
      if x < y then acc := (x, y) :: acc
  return acc

example : pairs [1, 2] [1, 2, 3] = [(2, 3), (1, 3), (1, 2)] := rfl
