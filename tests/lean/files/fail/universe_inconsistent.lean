-- A type cannot contain its own universe.
-- expect: error 5:20 contains "Type mismatch\n  Type\nhas type\n  Type 1"
-- expect: error 8:2 contains "Invalid universe level in constructor `Box.mk`"
-- expect: error 12:2 contains "Invalid universe level for field `snd`"
def small : Type := Type

inductive Box : Type where
  | mk (α : Type) (a : α)

structure Both (α : Type u) (β : Type v) : Type u where
  fst : α
  snd : β
