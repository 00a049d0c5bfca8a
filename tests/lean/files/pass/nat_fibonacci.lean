-- Fibonacci: two definitions agree, and a sum law.
def fib : Nat → Nat
  | 0 => 0
  | 1 => 1
  | n + 2 => fib n + fib (n + 1)

def fibFast (n : Nat) : Nat := (go n).1
where
  go : Nat → Nat × Nat
    | 0 => (0, 1)
    | n + 1 => let (a, b) := go n; (b, a + b)

theorem go_eq (n : Nat) : fibFast.go n = (fib n, fib (n + 1)) := by
  induction n with
  | zero => rfl
  | succ n ih => simp only [fibFast.go, ih, fib]

theorem fibFast_eq (n : Nat) : fibFast n = fib n := by rw [fibFast, go_eq]

def sumFib : Nat → Nat
  | 0 => 0
  | n + 1 => sumFib n + fib n

theorem sumFib_add_one (n : Nat) : sumFib n + 1 = fib (n + 1) := by
  induction n with
  | zero => rfl
  | succ n ih =>
    rw [sumFib, fib, ← ih]
    omega
