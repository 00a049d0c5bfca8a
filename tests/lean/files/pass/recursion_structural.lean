-- Structural recursion: on trees, with an accumulator, on two arguments.
inductive Tree where
  | leaf (n : Nat)
  | node (l r : Tree)

namespace Tree

def sum : Tree → Nat
  | leaf n => n
  | node l r => l.sum + r.sum

def mirror : Tree → Tree
  | leaf n => leaf n
  | node l r => node r.mirror l.mirror

theorem mirror_mirror (t : Tree) : t.mirror.mirror = t := by
  induction t with
  | leaf n => rfl
  | node l r ihl ihr => simp only [mirror, ihl, ihr]

theorem sum_mirror (t : Tree) : t.mirror.sum = t.sum := by
  induction t with
  | leaf n => rfl
  | node l r ihl ihr => simp only [mirror, sum, ihl, ihr, Nat.add_comm]

def flattenOnto : Tree → List Nat → List Nat
  | leaf n, acc => n :: acc
  | node l r, acc => l.flattenOnto (r.flattenOnto acc)

example : (node (leaf 1) (node (leaf 2) (leaf 3))).flattenOnto [] = [1, 2, 3] := rfl

end Tree
