-- Taking and dropping.
theorem take_append_drop {α : Type} : ∀ (n : Nat) (xs : List α), xs.take n ++ xs.drop n = xs
  | 0, _ => rfl
  | _ + 1, [] => rfl
  | n + 1, x :: xs => congrArg (x :: ·) (take_append_drop n xs)

theorem length_drop' {α : Type} (n : Nat) (xs : List α) : (xs.drop n).length = xs.length - n := by
  induction n generalizing xs with
  | zero => rfl
  | succ n ih =>
    cases xs with
    | nil => simp
    | cons x xs => simp

example : [1, 2, 3, 4].take 2 = [1, 2] := rfl
example : [1, 2, 3, 4].drop 2 = [3, 4] := rfl
example : [1, 2, 3, 4].takeWhile (· < 3) = [1, 2] := rfl
