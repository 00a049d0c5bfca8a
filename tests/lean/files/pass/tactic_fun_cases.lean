-- `fun_cases` splits by the branches of a function that need not be recursive.
def grade (n : Nat) : Char :=
  if n < 50 then 'F' else if n < 80 then 'B' else 'A'

theorem grade_cases (n : Nat) : grade n = 'F' ∨ grade n = 'B' ∨ grade n = 'A' := by
  fun_cases grade n with
  | case1 h => exact .inl rfl
  | case2 h h' => exact .inr (.inl rfl)
  | case3 h h' => exact .inr (.inr rfl)

def firstOr (d : Nat) : List Nat → Nat
  | [] => d
  | x :: _ => x

theorem firstOr_le (d b : Nat) (xs : List Nat) (hd : d ≤ b) (h : ∀ x ∈ xs, x ≤ b) : firstOr d xs ≤ b := by
  fun_cases firstOr d xs
  · exact hd
  · simp_all
