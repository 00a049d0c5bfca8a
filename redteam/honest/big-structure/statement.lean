structure R where
  (a b c d e f g h i j : Nat)
  (k l m n o p q r s t : Bool)
theorem target (x : R) (y : Nat) (z : Bool) : { x with j := y, t := z }.t = z ∧ { x with j := y }.a = x.a := by sorry
