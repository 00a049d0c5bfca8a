mutual
inductive IsEven : Nat → Prop
  | zero : IsEven 0
  | step {n} : IsOdd n → IsEven (n + 1)
inductive IsOdd : Nat → Prop
  | step {n} : IsEven n → IsOdd (n + 1)
end
theorem target {n : Nat} (h : IsEven n) : ∃ k, n = k + k := by sorry
