def Small := { n : Nat // n < 100 }
instance : Coe Small Nat := ⟨Subtype.val⟩
theorem target (a b : Small) : (a : Nat) + b < 200 := by sorry
