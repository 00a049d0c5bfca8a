attribute [-instance] instLTNat
instance other : LT Nat := ⟨fun _ _ => True⟩
theorem target (a b : Nat) : a < b := True.intro
