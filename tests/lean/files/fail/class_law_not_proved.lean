-- An instance whose law is false.
-- expect: error 12:4 contains "omega could not prove the goal"
class Comm (α : Type) where
  op : α → α → α
  comm : ∀ a b, op a b = op b a

instance : Comm Int where
  op a b := a - b
  comm := by
    intro a b
    show a - b = b - a
    omega
