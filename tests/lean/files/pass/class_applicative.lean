-- Functor, Applicative and Monad operators for a user's type.
inductive Result (α : Type) where
  | ok (a : α)
  | fail (reason : Nat)

namespace Result

instance : Monad Result where
  pure := ok
  bind
    | ok a, f => f a
    | fail r, _ => fail r

example : (· + 1) <$> (ok 2 : Result Nat) = ok 3 := rfl
example : (ok (· + 1) <*> ok 2 : Result Nat) = ok 3 := rfl
example : (ok 1 >>= fun n => ok (n + 5) : Result Nat) = ok 6 := rfl
example : ((fail 3 : Result Unit) *> ok 2) = fail 3 := rfl

def sum3 (x y z : Result Nat) : Result Nat := do
  let a ← x
  let b ← y
  return a + b + (← z)

theorem sum3_fail (y z : Result Nat) (r : Nat) : sum3 (fail r) y z = fail r := rfl

theorem bind_pure {α : Type} (x : Result α) : x >>= pure = x := by
  cases x <;> rfl

end Result
