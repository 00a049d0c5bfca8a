-- Options of `simp`: +arith, +decide, contextual, hypotheses by `[*]`.
example (x : Nat) : x + 2 = x + 1 + 1 := by simp +arith
example (p q : Prop) : p → q → (p ∧ q) := by simp +contextual
example (xs : List Nat) (h : xs = []) : xs.length + 1 = 1 := by simp [*]
example (p q : Prop) (hp : ¬p) : (p ∧ q) = False := by simp [hp]
