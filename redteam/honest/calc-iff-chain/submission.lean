theorem target (p q : Prop) : ¬(p ∨ q) ↔ ¬q ∧ ¬p := calc
  ¬(p ∨ q) ↔ ¬p ∧ ¬q := not_or
  _ ↔ ¬q ∧ ¬p := And.comm
