set_option pp.all true
set_option linter.unusedVariables false
set_option maxHeartbeats 400000 in
set_option maxRecDepth 2000 in
theorem target (a b : Nat) : a * b = b * a := Nat.mul_comm a b
