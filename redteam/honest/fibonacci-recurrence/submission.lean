def fib : Nat → Nat
  | 0 => 0
  | 1 => 1
  | n + 2 => fib n + fib (n + 1)
def fibPair : Nat → Nat × Nat
  | 0 => (0, 1)
  | n + 1 => let (a, b) := fibPair n; (b, a + b)
theorem target (n : Nat) : (fibPair n).1 = fib n := by
  suffices h : fibPair n = (fib n, fib (n + 1)) by rw [h]
  induction n with
  | zero => rfl
  | succ n ih => simp [fibPair, ih, fib]
