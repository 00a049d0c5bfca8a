-- A simp set that loops runs into the recursion limit.
-- expect: error 4:2 contains "maximum recursion depth has been reached"
theorem swap (a b : Nat) (f : Nat → Nat → Nat) (h : ∀ x y, f x y = f y x + 0) : f a b = 3 := by
  simp only [h]
