-- Reversal: an involution, in accumulator form too.
variable {α : Type}

def rev : List α → List α
  | [] => []
  | x :: xs => rev xs ++ [x]

theorem rev_append (xs ys : List α) : rev (xs ++ ys) = rev ys ++ rev xs := by
  induction xs with
  | nil => simp [rev]
  | cons x xs ih => simp [rev, ih]

theorem rev_rev (xs : List α) : rev (rev xs) = xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp [rev, rev_append, ih]

def revOnto : List α → List α → List α
  | acc, [] => acc
  | acc, x :: xs => revOnto (x :: acc) xs

theorem revOnto_eq (xs acc : List α) : revOnto acc xs = rev xs ++ acc := by
  induction xs generalizing acc with
  | nil => rfl
  | cons x xs ih => simp [revOnto, rev, ih]
