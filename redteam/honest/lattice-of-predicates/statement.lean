def Sub' (p q : α → Prop) : Prop := ∀ x, p x → q x
local infix:50 " ≼ " => Sub'
theorem target (p q r : α → Prop) : (p ≼ fun x => q x ∧ r x) ↔ p ≼ q ∧ p ≼ r := by sorry
