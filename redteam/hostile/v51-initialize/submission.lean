initialize evil : Nat ← pure 3
theorem target (n : Nat) : n + 1 = n := rfl
