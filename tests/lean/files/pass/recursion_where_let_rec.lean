-- Local recursive helpers with `where` and `let rec`.
def sumTo (n : Nat) : Nat := go n 0
where
  go : Nat → Nat → Nat
    | 0, acc => acc
    | n + 1, acc => go n (acc + (n + 1))

theorem go_add (n acc : Nat) : sumTo.go n acc = sumTo.go n 0 + acc := by
  induction n generalizing acc with
  | zero => simp [sumTo.go]
  | succ n ih =>
    rw [sumTo.go, ih, sumTo.go, ih (0 + (n + 1))]
    omega

def powers (b k : Nat) : List Nat :=
  let rec loop : Nat → Nat → List Nat
    | 0, _ => []
    | i + 1, x => x :: loop i (x * b)
  loop k 1

example : powers 2 5 = [1, 2, 4, 8, 16] := rfl
