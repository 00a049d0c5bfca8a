-- `calc` chains mixing =, <, ≤, steps by tactics, and own transitive relations.
theorem chain (a b c d : Nat) (h₁ : a = b) (h₂ : b < c) (h₃ : c ≤ d) : a < d :=
  calc
    a = b := h₁
    _ < c := h₂
    _ ≤ d := h₃

theorem distribute (a b : Nat) : (a + b) * (a + b) = a * a + a * b + (a * b + b * b) := by
  calc (a + b) * (a + b)
    _ = a * (a + b) + b * (a + b) := Nat.add_mul ..
    _ = a * a + a * b + (b * a + b * b) := by rw [Nat.mul_add, Nat.mul_add]
    _ = a * a + a * b + (a * b + b * b) := by rw [Nat.mul_comm b a]

def near (a b : Nat) : Prop := ∃ k, a + k = b ∨ b + k = a

instance : Trans near near near where
  trans {a _ c} _ _ := if h : a ≤ c then ⟨c - a, by omega⟩ else ⟨a - c, by omega⟩

example (a b c : Nat) (h₁ : near a b) (h₂ : near b c) : near a c :=
  calc near a b := h₁
    near _ c := h₂
