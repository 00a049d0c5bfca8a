inductive Suit where | clubs | diamonds | hearts | spades
deriving instance DecidableEq for Suit
theorem target : Suit.clubs ≠ Suit.spades := by decide
