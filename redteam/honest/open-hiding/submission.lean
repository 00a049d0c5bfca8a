open Nat hiding add_comm
theorem target (a b : Nat) : a ≤ a + b := le_add_right a b
