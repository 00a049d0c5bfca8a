-- Recursion over an indexed family: length-indexed vectors.
inductive Vec (α : Type u) : Nat → Type u where
  | nil : Vec α 0
  | cons (x : α) (xs : Vec α n) : Vec α (n + 1)

namespace Vec

def head : Vec α (n + 1) → α
  | cons x _ => x

def zipWith (f : α → β → γ) : Vec α n → Vec β n → Vec γ n
  | nil, nil => nil
  | cons x xs, cons y ys => cons (f x y) (zipWith f xs ys)

def toList : Vec α n → List α
  | nil => []
  | cons x xs => x :: xs.toList

theorem length_toList (v : Vec α n) : v.toList.length = n := by
  induction v with
  | nil => rfl
  | cons x xs ih => simp [toList, ih]

theorem eq_nil (v : Vec α 0) : v = nil := by
  cases v
  rfl

end Vec
