def insert' (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: ys => if x ≤ y then x :: y :: ys else y :: insert' x ys
def isort : List Nat → List Nat
  | [] => []
  | x :: xs => insert' x (isort xs)
inductive Sorted : List Nat → Prop
  | nil : Sorted []
  | one (x) : Sorted [x]
  | more {x y l} (h : x ≤ y) (t : Sorted (y :: l)) : Sorted (x :: y :: l)
theorem target (l : List Nat) : Sorted (isort l) := by sorry
