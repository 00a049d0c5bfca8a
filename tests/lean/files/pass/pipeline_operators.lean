-- Function application and composition operators: <|, |>, |>., $, ∘, ·.
def inc (n : Nat) : Nat := n + 1

example : (inc <| inc <| 3) = 5 := rfl
example : (3 |> inc |> inc) = 5 := rfl
example : ([3, 4] |>.map inc |>.length) = 2 := rfl
example : (inc ∘ inc) 3 = 5 := rfl
example : [1, 2].map (· + 10) = [11, 12] := rfl
example : (fun n => inc $ n * 2) 4 = 9 := rfl
example : [1, 2, 3].foldl (init := 10) (· + ·) = 16 := rfl
