-- An explicit measure: distance to a bound.
def countUp (i n : Nat) : List Nat :=
  if i < n then i :: countUp (i + 1) n else []
termination_by n - i

theorem length_countUp (i n : Nat) : (countUp i n).length = n - i := by
  fun_induction countUp i n with
  | case1 i h ih =>
    rw [List.length_cons, ih]
    omega
  | case2 i h =>
    rw [List.length_nil]
    omega
