-- all, any, zipWith, head?, reverse compute.
example : [2, 4].all (fun n => n % 2 == 0) = true := rfl
example : [1, 3].any (fun n => n % 2 == 0) = false := rfl
example : List.zipWith (· + ·) [1, 2] [10, 20] = [11, 22] := rfl
example : [7, 8].head? = some 7 := rfl
example : [1, 2, 3].reverse = [3, 2, 1] := rfl
