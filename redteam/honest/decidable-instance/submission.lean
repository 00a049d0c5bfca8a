inductive Even : Nat → Prop where
  | zero : Even 0
  | step {n} : Even n → Even (n + 2)
def evenb : Nat → Bool
  | 0 => true
  | 1 => false
  | n + 2 => evenb n
theorem even_of : ∀ n, evenb n = true → Even n
  | 0, _ => .zero
  | 1, h => by cases h
  | n + 2, h => .step (even_of n h)
theorem target : Even 8 := even_of 8 (by decide)
