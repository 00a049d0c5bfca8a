def total (n : Nat) : Nat := go n 0
where
  go : Nat → Nat → Nat
    | 0, acc => acc
    | n + 1, acc => go n (acc + n)
def count (xs : List Nat) : Nat :=
  let rec loop : List Nat → Nat → Nat
    | [], acc => acc
    | _ :: xs, acc => loop xs (acc + 1)
  loop xs 0
theorem target : total 4 = 6 ∧ count [7, 8] = 2 := by sorry
