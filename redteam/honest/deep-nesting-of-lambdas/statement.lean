theorem target (f : Nat → Nat → Nat → Nat → Nat → Nat → Nat → Nat → Nat) (h : ∀ a b c d e g i j, f a b c d e g i j = f j i g e d c b a)
    (n : Nat) : f n 1 2 3 4 5 6 7 = f 7 6 5 4 3 2 1 n := by sorry
