-- Integers split into the natural numbers and the negations of positive ones.
def sign : Int → Int
  | .ofNat 0 => 0
  | .ofNat (_ + 1) => 1
  | .negSucc _ => -1

theorem sign_neg (a : Int) : sign (-a) = -sign a := by
  cases a with
  | ofNat n =>
    cases n with
    | zero => rfl
    | succ n => rfl
  | negSucc n => rfl

theorem sign_mul_natAbs (a : Int) : sign a * a.natAbs = a := by
  match a with
  | .ofNat 0 => rfl
  | .ofNat (n + 1) => exact Int.one_mul _
  | .negSucc n => show -1 * ((n + 1 : Nat) : Int) = _; omega

example : sign (-12) = -1 := rfl
