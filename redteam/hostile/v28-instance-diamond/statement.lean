class A (α : Type) where
  a : α
class B (α : Type) extends A α where
  b : α
theorem target [A Nat] [B Nat] : (A.a : Nat) = B.b := by sorry
