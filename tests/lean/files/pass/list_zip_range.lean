-- Zipping, ranges and indexing.
-- expect: information 3:0 is "[(1, 'a'), (2, 'b')]"
#eval [1, 2, 3].zip ['a', 'b']
example : List.range 5 = [0, 1, 2, 3, 4] := rfl
example : [10, 20, 30][1] = 20 := rfl
example : [10, 20, 30][7]? = none := rfl
example (xs : List Nat) (h : 0 < xs.length) : xs[0] ∈ xs := by simp
example : [[1], [2, 3], []].flatten = [1, 2, 3] := rfl
example : List.replicate 3 'x' = ['x', 'x', 'x'] := rfl

theorem zip_length {α β : Type} : ∀ (xs : List α) (ys : List β), (xs.zip ys).length = min xs.length ys.length
  | [], _ => by simp
  | _ :: _, [] => by simp
  | x :: xs, y :: ys => by
    simp only [List.zip_cons_cons, List.length_cons, zip_length xs ys]
    omega
