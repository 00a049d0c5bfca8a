namespace «a.b»
theorem target (n : Nat) : n = n := rfl
end «a.b»
