theorem target (p q r : Prop) (h : (p ∨ q) ∧ r) : p ∧ r ∨ q ∧ r := match h with
  | ⟨.inl hp, hr⟩ => .inl ⟨hp, hr⟩
  | ⟨.inr hq, hr⟩ => .inr ⟨hq, hr⟩
