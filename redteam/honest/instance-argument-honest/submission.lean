theorem target (p q : Prop) [Decidable p] (h : ¬p → q) : p ∨ q := 
  if hp : p then .inl hp else .inr (h hp)
