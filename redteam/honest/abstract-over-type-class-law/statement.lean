class Semilattice (α : Type u) where
  meet : α → α → α
  idem : ∀ a, meet a a = a
  comm : ∀ a b, meet a b = meet b a
  assoc : ∀ a b c, meet (meet a b) c = meet a (meet b c)
infixl:70 " ⊓ " => Semilattice.meet
variable [Semilattice α]
theorem target (a b : α) : (a ⊓ b) ⊓ a = a ⊓ b := by sorry
