-- `simp_all` uses hypotheses to simplify each other and the goal.
example (p q r : Prop) (h : p ↔ q) (hq : q) (hr : p → r) : r := by simp_all

example (a b c : Nat) (h₁ : a = b) (h₂ : b = c) (h₃ : c = 0) : a + b = 0 := by simp_all

example (xs ys : List Nat) (h : xs = ys ++ []) (h' : ys = []) : xs.length = 0 := by simp_all

example (b c : Bool) (h : (b && c) = true) : c = true := by simp_all

example (f : Nat → Nat) (h : ∀ n, f n = n) (x : Nat) (hx : f x = 2) : x = 2 := by simp_all
