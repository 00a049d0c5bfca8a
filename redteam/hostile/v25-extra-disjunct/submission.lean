theorem target (n : Nat) : n + 1 = n ∨ True := Or.inr True.intro
