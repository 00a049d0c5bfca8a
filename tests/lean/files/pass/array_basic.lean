-- Arrays: literals, push, indexing, conversion to lists.
-- expect: information 13:0 is "#[1, 2, 3, 4]"
-- expect: information 14:0 is "30"
example : #[1, 2, 3].size = 3 := rfl
example : #[1, 2, 3].toList = [1, 2, 3] := rfl
example (a : Array Nat) (x : Nat) : (a.push x).size = a.size + 1 := by simp
example (a : Array Nat) (i : Nat) (h : i < a.size) : Nat := a[i]
example : #[10, 20, 30][1] = 20 := rfl
example : #[10, 20, 30][5]? = none := rfl

def sum (a : Array Nat) : Nat := a.foldl (· + ·) 0

#eval #[1, 2, 3].push 4
#eval sum #[5, 10, 15]
