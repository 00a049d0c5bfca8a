-- Computations that fail with a reason.
inductive Err where
  | divZero
  | negative (n : Int)
  deriving DecidableEq, Repr

def div (a b : Int) : Except Err Int :=
  if b = 0 then .error .divZero else .ok (a / b)

def root (a : Int) : Except Err Int :=
  if a < 0 then .error (.negative a) else .ok a

def both (a b : Int) : Except Err Int :=
  match div a b with
  | .error e => .error e
  | .ok q => root q

theorem both_zero (a : Int) : both a 0 = .error .divZero := rfl

theorem div_ok {a b : Int} (h : b ≠ 0) : div a b = .ok (a / b) := by simp [div, h]

theorem root_ok_nonneg {a r : Int} (h : root a = .ok r) : 0 ≤ r := by
  unfold root at h
  split at h
  · contradiction
  · injection h with h
    omega
