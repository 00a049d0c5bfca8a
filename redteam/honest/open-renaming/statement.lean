open Nat renaming add_comm → plus_comm
theorem target (a b : Nat) : a + b = b + a := by sorry
