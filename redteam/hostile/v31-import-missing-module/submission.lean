import Sneaky.Proofs
theorem target (n : Nat) : n + 1 = n := Sneaky.boom n
