axiom Fin.ofNat_injective : ∀ a b : Nat, a % 2 = b % 2 → a = b
theorem target (n : Nat) : n + 1 = n := by
  have h : (0 : Nat) = 2 := Fin.ofNat_injective 0 2 rfl
  cases h
