-- A custom eliminator: by `using`, and as the default through an attribute.
theorem two_step {p : Nat → Prop} (zero : p 0) (one : p 1) (step : ∀ n, p n → p (n + 2)) : ∀ n, p n
  | 0 => zero
  | 1 => one
  | n + 2 => step n (two_step zero one step n)

theorem parity (n : Nat) : ∃ k, n = 2 * k ∨ n = 2 * k + 1 := by
  induction n using two_step with
  | zero => exact ⟨0, .inl rfl⟩
  | one => exact ⟨0, .inr rfl⟩
  | step n ih =>
    obtain ⟨k, rfl | rfl⟩ := ih
    · exact ⟨k + 1, .inl rfl⟩
    · exact ⟨k + 1, .inr rfl⟩

inductive Snoc (α : Type) where
  | empty
  | snoc (xs : Snoc α) (x : α)

def Snoc.nil {α : Type} : Snoc α := .empty
def Snoc.size {α : Type} : Snoc α → Nat
  | .empty => 0
  | .snoc xs _ => xs.size + 1

@[induction_eliminator]
theorem Snoc.rec' {α : Type} {motive : Snoc α → Prop} (nil : motive Snoc.nil)
    (append : ∀ xs x, motive xs → motive (.snoc xs x)) (xs : Snoc α) : motive xs :=
  Snoc.rec nil append xs

theorem Snoc.size_nonneg {α : Type} (xs : Snoc α) : 0 ≤ xs.size := by
  induction xs with
  | nil => exact Nat.le_refl 0
  | append xs x ih => exact Nat.le_succ_of_le ih
