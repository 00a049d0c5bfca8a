class Comm (α : Type) extends Add α where
  comm : ∀ a b : α, a + b = b + a
theorem target (α : Type) [Comm α] (a b : α) : a + b = b + a := Comm.comm a b
