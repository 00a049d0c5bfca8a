def slow (n : Nat) : Nat := n
def fast (n : Nat) : Nat := n + 1
axiom same : @slow = @fast
@[csimp] theorem slow_eq_fast : @slow = @fast := same
theorem target : slow 3 = 4 := by native_decide
