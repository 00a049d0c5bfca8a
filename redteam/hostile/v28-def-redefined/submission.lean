def f (n : Nat) : Nat := n
theorem target (n : Nat) : f n = n := rfl
