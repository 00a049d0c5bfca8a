-- `cases` that would need injectivity of a function Lean knows nothing about.
-- expect: error 7:2 contains "Dependent elimination failed: Failed to solve equation"
inductive Image (f : Nat → Nat) : Nat → Prop where
  | mk (n : Nat) : Image f (f n)

theorem t (f : Nat → Nat) (h : Image f 3) : ∃ n, f n = 3 := by
  cases h
  exact ⟨_, rfl⟩
