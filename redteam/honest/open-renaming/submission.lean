open Nat renaming add_comm → plus_comm
theorem target (a b : Nat) : a + b = b + a := plus_comm a b
