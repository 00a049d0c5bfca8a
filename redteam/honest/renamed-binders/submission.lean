theorem target (a b : Nat) (e : a = b) : ∀ c : Nat, a + c = b + c := by
  subst e
  intro k
  rfl
