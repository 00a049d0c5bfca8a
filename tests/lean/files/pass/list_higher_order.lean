-- all, any, find?, contains, zipWith, flatMap, filterMap, head?, getLast?.
example : [2, 4].all (fun n => n % 2 == 0) = true := rfl
example : [1, 3].any (fun n => n % 2 == 0) = false := rfl
example : [1, 4, 6].find? (fun n => n % 2 == 0) = some 4 := rfl
example : [1, 2, 3].contains 2 = true := rfl
example : List.zipWith (· + ·) [1, 2] [10, 20] = [11, 22] := rfl
example : [1, 2].flatMap (fun n => [n, n]) = [1, 1, 2, 2] := rfl
example : [1, 2, 3].filterMap (fun n => if n = 2 then none else some (n * 10)) = [10, 30] := rfl
example : [7, 8].head? = some 7 := rfl
example : [7, 8].getLast? = some 8 := rfl
example : [1, 2, 3].reverse = [3, 2, 1] := rfl

theorem all_iff {α : Type} (p : α → Bool) (xs : List α) : xs.all p = true ↔ ∀ x ∈ xs, p x = true := by
  induction xs with
  | nil => simp
  | cons x xs ih => simp [ih]
