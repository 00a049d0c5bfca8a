@[elab_as_elim] theorem two_step {P : Nat → Prop} (zero : P 0) (one : P 1) (step : ∀ n, P n → P (n + 2)) :
    ∀ n, P n
  | 0 => zero
  | 1 => one
  | n + 2 => step n (two_step zero one step n)
theorem target (n : Nat) : n % 2 = 0 ∨ n % 2 = 1 := by
  induction n using two_step with
  | zero => exact .inl rfl
  | one => exact .inr rfl
  | step n ih => omega
