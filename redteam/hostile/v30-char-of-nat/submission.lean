def Char.ofNat (_ : Nat) : Char := 'a'
theorem same : "a" = "b" := by decide +kernel
theorem target (n : Nat) : n + 1 = n := absurd same (by decide)
