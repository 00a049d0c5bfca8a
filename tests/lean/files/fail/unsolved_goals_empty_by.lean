-- An empty proof.
-- expect: error 3:31 contains "unsolved goals\nn : Nat\n⊢ n = n"
theorem t (n : Nat) : n = n := by
