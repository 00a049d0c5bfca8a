mutual
inductive IsEven : Nat → Prop
  | zero : IsEven 0
  | step {n} : IsOdd n → IsEven (n + 1)
inductive IsOdd : Nat → Prop
  | step {n} : IsEven n → IsOdd (n + 1)
end
mutual
theorem even_double {n : Nat} : IsEven n → ∃ k, n = k + k
  | .zero => ⟨0, rfl⟩
  | .step h => let ⟨k, hk⟩ := odd_double h; ⟨k + 1, by omega⟩
theorem odd_double {n : Nat} : IsOdd n → ∃ k, n = k + k + 1
  | .step h => let ⟨k, hk⟩ := even_double h; ⟨k, by omega⟩
end
theorem target {n : Nat} (h : IsEven n) : ∃ k, n = k + k := even_double h
