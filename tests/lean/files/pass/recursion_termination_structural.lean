-- `termination_by structural` names the argument; the equations still compute.
def mix (xs ys : List Nat) : List Nat :=
  match xs, ys with
  | [], ys => ys
  | x :: xs, ys => x :: mix xs ys
termination_by structural xs

example : mix [1, 2] [3] = [1, 2, 3] := rfl

theorem mix_eq_append (xs ys : List Nat) : mix xs ys = xs ++ ys := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [mix, ih, List.cons_append]
