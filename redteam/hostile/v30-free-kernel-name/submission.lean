def Nat.land (a b : Nat) : Nat := 0
theorem fast : Nat.land 3 1 = 1 := by decide +kernel
theorem slow (x y : Nat) : Nat.land x y = 0 := rfl
theorem boom : False := by
  have h := fast
  rw [slow] at h
  exact absurd h (by decide)
theorem target (n : Nat) : n + 1 = n := boom.elim
