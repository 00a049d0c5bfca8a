structure Wrap where
  n : Nat
instance : Add Wrap := ⟨fun a b => ⟨a.n + b.n⟩⟩
theorem wrap_add (a b : Wrap) : (a + b).n = a.n + b.n := rfl
theorem target (a b : Nat) : a + b = b + a := Nat.add_comm a b
