-- A lemma for `simp` that does not exist; the rest of the set is used.
-- expect: error 4:8 contains "Unknown identifier `no_such_lemma`"
theorem t (n : Nat) : n + 0 = n := by
  simp [no_such_lemma]
