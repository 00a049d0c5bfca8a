-- `let`, `have`, `fun` patterns, `if let`, pattern-matching `let`, `where`-bound values.
def hypot (a b : Nat) : Nat :=
  let sq (n : Nat) := n * n
  let a2 := sq a
  let b2 := sq b
  a2 + b2

example : hypot 3 4 = 25 := rfl

def second (p : Nat × Nat × Nat) : Nat :=
  let (_, b, _) := p
  b

example : second (1, 2, 3) = 2 := rfl

def headOr (d : Nat) (xs : List Nat) : Nat :=
  if let x :: _ := xs then x else d

example : headOr 7 [] = 7 := rfl
example : headOr 7 [4] = 4 := rfl

def sumPairs : List (Nat × Nat) → List Nat := List.map fun (a, b) => a + b

example : sumPairs [(1, 2), (3, 4)] = [3, 7] := rfl

theorem have_pattern (h : ∃ n : Nat, n > 3) : ∃ n : Nat, n > 2 :=
  have ⟨n, hn⟩ := h
  ⟨n, Nat.lt_of_succ_lt hn⟩
