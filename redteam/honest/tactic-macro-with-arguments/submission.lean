macro "both" h:term:max " and " k:term:max : tactic => `(tactic| exact ⟨$h, $k⟩)
theorem target (p q : Prop) (hp : p) (hq : q) : p ∧ q := by both hp and hq
