-- Well-founded relations by hand: accessibility, inverse image, recursion through `WellFounded.fix`.
theorem acc_lt (n : Nat) : Acc (· < ·) n := by
  induction n with
  | zero => exact ⟨_, fun m h => absurd h (Nat.not_lt_zero m)⟩
  | succ n ih =>
    constructor
    intro m hm
    rcases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ hm) with h | rfl
    · exact ih.inv h
    · exact ih

theorem wf_length {α : Type} : WellFounded fun xs ys : List α => xs.length < ys.length :=
  ⟨fun xs => InvImage.accessible List.length (acc_lt xs.length)⟩

theorem no_infinite_descent (f : Nat → Nat) : ¬∀ n, f (n + 1) < f n := by
  intro h
  have : ∀ k n, f n = k → False := by
    intro k
    induction k using Nat.strongRecOn with
    | ind k ih =>
      intro n hn
      exact ih (f (n + 1)) (hn ▸ h n) (n + 1) rfl
  exact this (f 0) 0 rfl
