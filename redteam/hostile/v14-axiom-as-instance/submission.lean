class Fact (p : Prop) : Prop where
  out : p
@[instance] axiom factAll (p : Prop) : Fact p
theorem target (n : Nat) : n + 1 = n := Fact.out
