-- Mixfix notation for a relation, printed back in messages.
-- expect: information 12:0 contains "Γ ⊢ₚ p ∷ n"
inductive Derives : List Nat → Nat → Nat → Prop where
  | ax {Γ p} : Derives Γ p 0
  | weak {Γ p q n} : Derives Γ p n → Derives (q :: Γ) p (n + 1)

notation:50 Γ " ⊢ₚ " p " ∷ " n:51 => Derives Γ p n

theorem weaken_twice {Γ : List Nat} {p a b : Nat} (h : Γ ⊢ₚ p ∷ 0) : a :: b :: Γ ⊢ₚ p ∷ 2 := h.weak.weak

variable (Γ : List Nat) (p n : Nat)
#check Γ ⊢ₚ p ∷ n
