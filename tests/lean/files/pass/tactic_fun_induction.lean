-- Functional induction follows the recursion of a function.
def interleave : List Nat → List Nat → List Nat
  | [], ys => ys
  | x :: xs, ys => x :: interleave ys xs
termination_by xs ys => xs.length + ys.length

theorem length_interleave (xs ys : List Nat) : (interleave xs ys).length = xs.length + ys.length := by
  fun_induction interleave xs ys with
  | case1 ys => simp
  | case2 ys x xs ih =>
    simp only [List.length_cons, ih]
    omega

def fib : Nat → Nat
  | 0 => 0
  | 1 => 1
  | n + 2 => fib n + fib (n + 1)

theorem fib_le (n : Nat) : fib n ≤ 2 ^ n := by
  fun_induction fib n with
  | case1 => decide
  | case2 => decide
  | case3 n ih₁ ih₂ =>
    rw [Nat.pow_succ] at ih₂ ⊢
    rw [Nat.pow_succ]
    omega
