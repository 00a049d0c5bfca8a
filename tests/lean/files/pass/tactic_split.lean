-- `split` on ifs and matches, in goals and hypotheses.
def sgn (x : Int) : Int := if x < 0 then -1 else if x = 0 then 0 else 1

theorem sgn_mul_self (x : Int) : 0 ≤ sgn x * sgn x := by
  unfold sgn
  split
  · decide
  · split <;> decide

def pred? (n : Nat) : Option Nat :=
  match n with
  | 0 => none
  | m + 1 => some m

theorem pred?_lt (n m : Nat) (h : pred? n = some m) : m < n := by
  unfold pred? at h
  split at h
  · contradiction
  next k =>
    injection h with h
    omega

example (p q : Prop) [Decidable p] [Decidable q] (n : Nat) :
    (if p then (if q then n else n) else n) = n := by
  repeat' split
  all_goals rfl
