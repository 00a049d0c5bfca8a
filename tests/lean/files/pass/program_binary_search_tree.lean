-- Search trees: a value just inserted is found, and others are not lost.
inductive Tree where
  | leaf
  | node (l : Tree) (k : Nat) (r : Tree)

namespace Tree

def insert (x : Nat) : Tree → Tree
  | leaf => node leaf x leaf
  | node l k r =>
    if x < k then node (l.insert x) k r
    else if k < x then node l k (r.insert x)
    else node l k r

def contains (x : Nat) : Tree → Bool
  | leaf => false
  | node l k r =>
    if x < k then l.contains x
    else if k < x then r.contains x
    else true

theorem contains_insert (x : Nat) (t : Tree) : (t.insert x).contains x = true := by
  induction t with
  | leaf => simp [insert, contains]
  | node l k r ihl ihr =>
    unfold insert
    split
    next h => simp [contains, h, ihl]
    next h =>
      split
      next h' => simp [contains, h, h', ihr]
      next h' => simp [contains, h, h']

theorem contains_insert_of_ne {x y : Nat} (hne : x ≠ y) (t : Tree) :
    (t.insert x).contains y = t.contains y := by
  induction t with
  | leaf =>
    unfold insert contains
    split
    · rfl
    · split
      · rfl
      · omega
  | node l k r ihl ihr =>
    unfold insert
    split
    · simp [contains, ihl]
    · split
      · simp [contains, ihr]
      · rfl

end Tree
