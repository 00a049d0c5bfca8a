axiom A : Type
axiom a : A
axiom f : A → ∀ n : Nat, n + 1 = n
opaque both (x : A) : ∀ n : Nat, n + 1 = n := f x
theorem target (n : Nat) : n + 1 = n := both a n
