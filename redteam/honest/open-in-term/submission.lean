theorem target (a b : Nat) (h : a < b + 1) : a ≤ b := open Nat in le_of_lt_succ h
