theorem target : let h := False; h → ∀ n : Nat, n + 1 = n := fun h _ => h.elim
