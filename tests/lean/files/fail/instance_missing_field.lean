-- An instance that leaves out an operation.
-- expect: error 7:23 contains "Fields missing: `one`"
class Pointed (α : Type) where
  one : α
  op : α → α → α

instance : Pointed Nat where
  op := (· * ·)
