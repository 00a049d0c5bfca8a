-- Termination proofs given by hand, with the context of the call.
def digits (n : Nat) : List Nat :=
  if h : n < 10 then [n] else n % 10 :: digits (n / 10)
termination_by n
decreasing_by
  have : 10 ≤ n := Nat.le_of_not_lt h
  omega

theorem digits_ne_nil (n : Nat) : digits n ≠ [] := by
  unfold digits
  split <;> simp

def mccarthy (n : Nat) (h : n ≤ 100) : { m : Nat // m = 91 } :=
  if hn : n = 100 then ⟨91, rfl⟩ else mccarthy (n + 1) (by omega)
termination_by 100 - n

example : (mccarthy 5 (by decide)).val = 91 := (mccarthy 5 (by decide)).property
