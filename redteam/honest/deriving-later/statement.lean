inductive Suit where | clubs | diamonds | hearts | spades
theorem target : Suit.clubs ≠ Suit.spades := by sorry
