-- Induction without generalising: the hypothesis speaks of the old accumulator.
-- expect: error 10:29 contains "Tactic `rewrite` failed: Did not find an occurrence of the pattern\n  rev acc xs"
def rev {α : Type} (acc : List α) : List α → List α
  | [] => acc
  | x :: xs => rev (x :: acc) xs

theorem rev_eq {α : Type} (xs acc : List α) : rev acc xs = rev [] xs ++ acc := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [rev, ih]
