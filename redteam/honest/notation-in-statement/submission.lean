notation:65 a:65 " ⊕⊕ " b:66 => a + b + 1
theorem target (a b : Nat) : (a ⊕⊕ b) = b ⊕⊕ a := by rw [Nat.add_comm a b]
