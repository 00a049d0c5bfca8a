-- Arrays: literals, indexing, conversion to lists.
example : #[1, 2, 3].size = 3 := rfl
example : #[1, 2, 3].toList = [1, 2, 3] := rfl
example (a : Array Nat) (i : Nat) (h : i < a.size) : Nat := a[i]
example : #[10, 20, 30][1] = 20 := rfl
example : #[10, 20, 30][5]? = none := rfl


