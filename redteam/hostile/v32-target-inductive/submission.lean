inductive target (n : Nat) : Prop where
  | intro : target n
