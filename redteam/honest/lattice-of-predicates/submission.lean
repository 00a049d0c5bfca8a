def Sub' (p q : α → Prop) : Prop := ∀ x, p x → q x
local infix:50 " ≼ " => Sub'
theorem target (p q r : α → Prop) : (p ≼ fun x => q x ∧ r x) ↔ p ≼ q ∧ p ≼ r := 
  ⟨fun h => ⟨fun x hp => (h x hp).1, fun x hp => (h x hp).2⟩, fun ⟨h, k⟩ x hp => ⟨h x hp, k x hp⟩⟩
