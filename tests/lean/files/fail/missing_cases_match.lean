-- A match that forgets constructors names them.
-- expect: error 8:2 is "Missing cases:\nColor.blue"
-- expect: error 12:2 is "Missing cases:\n(List.cons _ [])"
inductive Color where
  | red | green | blue

def code : Color → Nat
  | .red => 1
  | .green => 2

def firstTwo : List Nat → Nat
  | [] => 0
  | x :: y :: _ => x + y
