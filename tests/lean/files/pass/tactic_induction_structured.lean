-- `induction` with named cases, generalising, shared tactic blocks.
theorem zero_add' (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [← Nat.add_assoc, ih]

def rev {α : Type} (acc : List α) : List α → List α
  | [] => acc
  | x :: xs => rev (x :: acc) xs

theorem length_rev {α : Type} (xs : List α) : ∀ acc, (rev acc xs).length = acc.length + xs.length := by
  induction xs with
  | nil => simp [rev]
  | cons x xs ih =>
    intro acc
    rw [rev, ih, List.length_cons, List.length_cons]
    omega

theorem length_rev' {α : Type} (xs acc : List α) : (rev acc xs).length = acc.length + xs.length := by
  induction xs generalizing acc <;> simp_all [rev] <;> omega

theorem le_two_pow (n : Nat) : n ≤ 2 ^ n := by
  induction n with
  | zero => decide
  | succ n ih =>
    have : 1 ≤ 2 ^ n := Nat.one_le_two_pow
    rw [Nat.pow_succ]
    omega
