theorem target : ∀ a b : Nat, a + b = b + a := fun a b => Nat.add_comm a b
