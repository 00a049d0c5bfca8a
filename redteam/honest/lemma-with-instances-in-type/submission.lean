theorem eq_or_ne' {α : Type} [DecidableEq α] (a b : α) : a = b ∨ ¬a = b := if h : a = b then .inl h else .inr h
theorem target (s t : String × Nat) : s = t ∨ ¬s = t := eq_or_ne' s t
