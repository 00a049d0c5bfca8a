namespace «a.b»
theorem target (n : Nat) : n = n := by sorry
end «a.b»
