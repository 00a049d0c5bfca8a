set_option autoImplicit true
class Subsingle (α : Type) : Prop where
  elim : ∀ a b : α, a = b
theorem target [s : Subsingle α] (a b : α) : a = b := s.elim a b
