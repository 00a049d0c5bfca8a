class A (α : Type) where
  a : α
class B (α : Type) where
  b : α
instance [B Nat] : A Nat := ⟨B.b⟩
theorem target [A Nat] [B Nat] : (A.a : Nat) = A.a := rfl
