-- Option: bind, map, default values and the monad laws.
def safeDiv (a b : Nat) : Option Nat := if b = 0 then none else some (a / b)

def average (a b c : Nat) : Option Nat := do
  let s ← safeDiv (a + b) c
  return s + 1

example : average 4 6 5 = some 3 := rfl
example : average 4 6 0 = none := rfl
example : (safeDiv 8 2).getD 0 = 4 := rfl

theorem bind_some' {α β : Type} (a : α) (f : α → Option β) : (some a >>= f) = f a := rfl

theorem bind_assoc' {α β γ : Type} (x : Option α) (f : α → Option β) (g : β → Option γ) :
    ((x >>= f) >>= g) = (x >>= fun a => f a >>= g) := by
  cases x <;> rfl

theorem map_eq_some {α β : Type} (f : α → β) (x : Option α) (b : β) :
    x.map f = some b ↔ ∃ a, x = some a ∧ f a = b := by
  cases x with
  | none => simp
  | some a => simp
