theorem target (a b c d e f : Nat) : a + b + c + d + e + f = f + e + d + c + b + a := by ac_rfl
