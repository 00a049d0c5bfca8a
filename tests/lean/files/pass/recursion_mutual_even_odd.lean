-- Mutual structural recursion, and a mutual proof about it.
mutual
  def even : Nat → Bool
    | 0 => true
    | n + 1 => odd n

  def odd : Nat → Bool
    | 0 => false
    | n + 1 => even n
end

example : even 10 = true := rfl

theorem odd_eq_not_even (n : Nat) : odd n = !even n := by
  induction n with
  | zero => rfl
  | succ n ih => simp [even, odd, ih]

mutual
  theorem even_double (n : Nat) : even (n + n) = true := by
    cases n with
    | zero => rfl
    | succ n =>
      rw [show n + 1 + (n + 1) = (n + n + 1) + 1 by omega, even]
      exact odd_double_succ n

  theorem odd_double_succ (n : Nat) : odd (n + n + 1) = true := by
    rw [odd]
    exact even_double n
end
