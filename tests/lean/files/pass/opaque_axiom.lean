-- Axioms and opaque constants; `#print axioms` names what is used.
-- expect: information 13:0 is "'deduce' depends on axioms: [assumed]"
axiom assumed : ∃ n : Nat, 5 < n

theorem deduce : ∃ n : Nat, 5 < n ∧ True :=
  let ⟨n, h⟩ := assumed
  ⟨n, h, trivial⟩

opaque secret : Nat

theorem secret_eq : secret = secret := rfl

#print axioms deduce
