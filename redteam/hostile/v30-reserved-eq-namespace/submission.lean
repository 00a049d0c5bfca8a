def Nat.rec' (n : Nat) : n + 1 = n → True := fun _ => True.intro
theorem Nat.rec (n : Nat) : n + 1 = n := by contradiction
theorem target (n : Nat) : n + 1 = n := Nat.rec n
