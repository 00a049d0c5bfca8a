mutual
inductive Ev : Nat → Prop where
  | zero : Ev 0
  | succ {n} : Od n → Ev (n + 1)
inductive Od : Nat → Prop where
  | succ {n} : Ev n → Od (n + 1)
end
theorem target : Ev 4 := by sorry
