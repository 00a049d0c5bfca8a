-- `abbrev` is seen through by unification and instance search.
abbrev Price := Nat
abbrev Table (α : Type) := List (Nat × α)

def total (xs : List Price) : Price := xs.foldr (· + ·) 0

example : total [1, 2, 3] = 6 := rfl
example (p : Price) : p + 0 = p := by simp
example (t : Table Bool) : (t ++ []).length = t.length := by simp
example (a b : Price) (h : a < b) : a + 1 ≤ b := Nat.succ_le_of_lt h
