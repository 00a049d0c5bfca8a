-- `congr`, `congrArg`, `congrFun`, and depth limits.
example (f : Nat → Nat → Nat) (a b c d : Nat) (h₁ : a = c) (h₂ : b = d) : f a b = f c d := by
  congr

example (f : Nat → Nat) (a b : Nat) (h : a = b) : f (a + 1) = f (b + 1) := by
  congr 2

example (f g : Nat → Nat) (h : f = g) (x : Nat) : f x = g x := congrFun h x

example (xs ys : List Nat) (h : xs = ys) : 1 :: xs = 1 :: ys := by
  apply congrArg
  exact h
