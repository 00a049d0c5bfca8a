structure Order (α : Type) where
  le : α → α → Prop
  refl : ∀ a, le a a
  trans : ∀ {a b c}, le a b → le b c → le a c
theorem target (A : Order α) (B : Order β) (f : α → β) (g : β → α)
    (gc : ∀ a b, B.le (f a) b ↔ A.le a (g b)) (a a' : α) (h : A.le a a') : B.le (f a) (f a') := by
  apply (gc _ _).mpr
  exact A.trans h ((gc _ _).mp (B.refl _))
