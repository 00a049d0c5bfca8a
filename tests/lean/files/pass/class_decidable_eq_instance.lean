-- A hand-written DecidableEq for a recursive type, then used by `decide` and `if`.
inductive Ty where
  | nat
  | fn (a b : Ty)

def Ty.decEq : (s t : Ty) → Decidable (s = t)
  | nat, nat => isTrue rfl
  | nat, fn _ _ => isFalse nofun
  | fn _ _, nat => isFalse nofun
  | fn a b, fn c d =>
    match decEq a c, decEq b d with
    | isTrue h₁, isTrue h₂ => isTrue (by rw [h₁, h₂])
    | isFalse h, _ => isFalse fun e => h (by injection e)
    | _, isFalse h => isFalse fun e => h (by injection e)

instance : DecidableEq Ty := Ty.decEq

example : Ty.fn .nat .nat ≠ .nat := by decide
example : (if Ty.nat = .nat then 1 else 2) = 1 := by decide
