theorem target (p q : Prop) (h : p ∧ q) : q ∧ p := by
  refine ⟨?right, ?_⟩
  case right => exact And.right (a := _) h
  exact h.1
