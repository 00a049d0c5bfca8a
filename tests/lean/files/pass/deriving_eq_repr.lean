-- Derived DecidableEq, BEq, Repr and Inhabited on an enumeration, a tree and a structure.
-- expect: information 23:0 is "Suit.hearts"
-- expect: information 24:0 contains "rank := 12"
inductive Suit where
  | hearts | spades | clubs | diamonds
  deriving DecidableEq, Repr, Inhabited

structure Card where
  rank : Nat
  suit : Suit
  deriving DecidableEq, Repr, Inhabited

inductive Expr where
  | num (n : Nat)
  | plus (a b : Expr)
  deriving DecidableEq, BEq, Inhabited

example : Suit.hearts ≠ Suit.clubs := by decide
example : Card.mk 3 .clubs ≠ Card.mk 4 .clubs := by decide
example : (Expr.plus (.num 1) (.num 2) == .plus (.num 1) (.num 2)) = true := rfl
example : (default : Suit) = .hearts := rfl

#eval Suit.hearts
#eval Card.mk 12 .spades
