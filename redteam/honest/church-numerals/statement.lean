def Church : Type 1 := ∀ α : Type, (α → α) → α → α
def Church.succ (n : Church) : Church := fun α f x => f (n α f x)
def Church.add (m n : Church) : Church := fun α f x => m α f (n α f x)
theorem target (m n : Church) : m.succ.add n = (m.add n).succ := by sorry
