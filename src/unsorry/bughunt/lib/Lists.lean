/-! Arrays, slices and vectors are lists; indices are integers that are not negative. -/

def Slice.index {α : Type} (xs : List α) (i : Int) : Result α :=
  if h : i.toNat < xs.length then ok (xs[i.toNat]'h) else fail .arrayOutOfBounds

def Slice.update {α : Type} (xs : List α) (i : Int) (v : α) : Result (List α) :=
  if i.toNat < xs.length then ok (xs.set i.toNat v) else fail .arrayOutOfBounds

@[reducible, simp] def Slice.len {α : Type} (xs : List α) : Int := xs.length

def Slice.range {α : Type} (xs : List α) (lo hi : Int) : Result (List α) :=
  if lo ≤ hi ∧ hi ≤ xs.length then ok ((xs.drop lo.toNat).take (hi - lo).toNat) else fail .arrayOutOfBounds

def Slice.rangeInclusive {α : Type} (xs : List α) (lo hi : Int) : Result (List α) := Slice.range xs lo (hi + 1)

def Slice.from {α : Type} (xs : List α) (lo : Int) : Result (List α) :=
  if lo ≤ xs.length then ok (xs.drop lo.toNat) else fail .arrayOutOfBounds

@[simp] def Slice.take {α : Type} (xs : List α) (n : Int) : List α := xs.take n.toNat

@[simp] def Slice.skip {α : Type} (xs : List α) (n : Int) : List α := xs.drop n.toNat

/-- `new` in the place of as many elements from `lo` on. -/
def Slice.splice {α : Type} (xs : List α) (lo : Int) (new : List α) : List α :=
  xs.take lo.toNat ++ new ++ xs.drop (lo.toNat + new.length)

def Slice.get {α : Type} (xs : List α) (i : Int) : Option α := xs[i.toNat]?

def Slice.get_range {α : Type} (xs : List α) (lo hi : Int) : Option (List α) :=
  if lo ≤ hi ∧ hi ≤ xs.length then some ((xs.drop lo.toNat).take (hi - lo).toNat) else none

def Slice.first {α : Type} : List α → Option α
  | [] => none
  | x :: _ => some x

def Slice.last {α : Type} : List α → Option α
  | [] => none
  | [x] => some x
  | _ :: y :: ys => Slice.last (y :: ys)

def Slice.init {α : Type} : List α → List α
  | [] => []
  | [_] => []
  | x :: y :: ys => x :: Slice.init (y :: ys)

def Slice.split_first {α : Type} : List α → Option (α × List α)
  | [] => none
  | x :: xs => some (x, xs)

def Slice.split_last {α : Type} (xs : List α) : Option (α × List α) :=
  match Slice.last xs with
  | none => none
  | some x => some (x, Slice.init xs)

def Slice.split_at {α : Type} (xs : List α) (n : Int) : Result (List α × List α) :=
  if n ≤ xs.length then ok (xs.take n.toNat, xs.drop n.toNat) else fail .panic

def Slice.contains {α : Type} [DecidableEq α] (x : α) : List α → Bool
  | [] => false
  | y :: ys => decide (y = x) || Slice.contains x ys

def Slice.starts_with {α : Type} [DecidableEq α] (xs ys : List α) : Bool := decide (xs.take ys.length = ys)

def Slice.ends_with {α : Type} [DecidableEq α] (xs ys : List α) : Bool :=
  decide (ys.length ≤ xs.length ∧ xs.drop (xs.length - ys.length) = ys)

def Slice.swap {α : Type} (xs : List α) (i j : Int) : Result (List α) := do
  let a ← Slice.index xs i
  let b ← Slice.index xs j
  ok ((xs.set i.toNat b).set j.toNat a)

def Slice.fill {α : Type} (xs : List α) (v : α) : List α := List.replicate xs.length v

def Slice.copy_from {α : Type} (xs ys : List α) : Result (List α) :=
  if xs.length = ys.length then ok ys else fail .panic

def Slice.rotate_left {α : Type} (xs : List α) (n : Int) : Result (List α) :=
  if n ≤ xs.length then ok (xs.drop n.toNat ++ xs.take n.toNat) else fail .panic

def Slice.rotate_right {α : Type} (xs : List α) (n : Int) : Result (List α) :=
  if n ≤ xs.length then ok (xs.drop (xs.length - n.toNat) ++ xs.take (xs.length - n.toNat)) else fail .panic

def Slice.insertSorted (x : Int) : List Int → List Int
  | [] => [x]
  | y :: ys => if x ≤ y then x :: y :: ys else y :: Slice.insertSorted x ys

def Slice.sort : List Int → List Int
  | [] => []
  | x :: xs => Slice.insertSorted x (Slice.sort xs)

def Slice.insertSortedBool (x : Bool) : List Bool → List Bool
  | [] => [x]
  | y :: ys => if x && !y then y :: Slice.insertSortedBool x ys else x :: y :: ys

def Slice.sortBool : List Bool → List Bool
  | [] => []
  | x :: xs => Slice.insertSortedBool x (Slice.sortBool xs)

def Slice.is_sorted {α : Type} [RustOrd α] : List α → Bool
  | [] => true
  | [_] => true
  | x :: y :: ys => decide (rcmp x y ≠ Ordering.gt) && Slice.is_sorted (y :: ys)

def Slice.to_array {α : Type} (n : Int) (xs : List α) : core.result.Result (List α) Unit :=
  if xs.length = n.toNat then .Ok xs else .Err ()

def Slice.windowsOf {α : Type} (n : Nat) : List α → List (List α)
  | [] => []
  | x :: xs => if n ≤ xs.length + 1 then (x :: xs).take n :: Slice.windowsOf n xs else []

def Slice.windows {α : Type} (xs : List α) (n : Int) : Result (List (List α)) :=
  if n = 0 then fail .panic else ok (Slice.windowsOf n.toNat xs)

def Slice.chunksOf {α : Type} (n : Nat) : Nat → List α → List (List α)
  | 0, _ => []
  | _, [] => []
  | k+1, x :: xs => (x :: xs).take n :: Slice.chunksOf n k ((x :: xs).drop n)

def Slice.chunks {α : Type} (xs : List α) (n : Int) : Result (List (List α)) :=
  if n = 0 then fail .panic else ok (Slice.chunksOf n.toNat xs.length xs)

def Slice.chunks_exact {α : Type} (xs : List α) (n : Int) : Result (List (List α)) :=
  if n = 0 then fail .panic
  else ok (Slice.chunksOf n.toNat xs.length (xs.take (xs.length / n.toNat * n.toNat)))

/-- Whether there is memory for larger ones is not known: what is proved does without them. -/
def Vec.from_elem {α : Type} (x : α) (n : Int) : Result (List α) :=
  if n ≤ 65536 then ok (List.replicate n.toNat x) else fail .maximumSizeExceeded

def Vec.resize {α : Type} (xs : List α) (n : Int) (x : α) : Result (List α) :=
  if n ≤ 65536 then ok (xs.take n.toNat ++ List.replicate (n.toNat - xs.length) x) else fail .maximumSizeExceeded

/-- For evaluation, which says nothing of larger ones. -/
def Vec.from_elem_bounded {α : Type} (x : α) (n : Int) : Result (List α) :=
  if n ≤ 65536 then ok (List.replicate n.toNat x) else div

def Vec.resize_bounded {α : Type} (xs : List α) (n : Int) (x : α) : Result (List α) :=
  if n ≤ 65536 then ok (xs.take n.toNat ++ List.replicate (n.toNat - xs.length) x) else div

def Vec.insert {α : Type} (xs : List α) (i : Int) (x : α) : Result (List α) :=
  if i ≤ xs.length then ok (xs.take i.toNat ++ x :: xs.drop i.toNat) else fail .panic

def Vec.remove {α : Type} (xs : List α) (i : Int) : Result (α × List α) := do
  let x ← Slice.index xs i
  ok (x, xs.take i.toNat ++ xs.drop (i.toNat + 1))

def Vec.swap_remove {α : Type} (xs : List α) (i : Int) : Result (α × List α) := do
  let x ← Slice.index xs i
  match Slice.last xs with
  | none => fail .panic
  | some y => ok (x, Slice.init (xs.set i.toNat y))

def Iter.rangeFrom : Nat → Int → List Int
  | 0, _ => []
  | n+1, i => i :: Iter.rangeFrom n (i + 1)

@[simp] def Iter.range (lo hi : Int) : Result (List Int) := ok (Iter.rangeFrom (hi - lo).toNat lo)

def Iter.range_bounded (lo hi : Int) : Result (List Int) :=
  if hi - lo ≤ 65536 then ok (Iter.rangeFrom (hi - lo).toNat lo) else div

def Iter.enumerate {α : Type} : Int → List α → List (Int × α)
  | _, [] => []
  | i, x :: xs => (i, x) :: Iter.enumerate (i + 1) xs

def Iter.every {α : Type} (n : Nat) : Nat → List α → List α
  | _, [] => []
  | 0, x :: xs => x :: Iter.every n (n - 1) xs
  | k+1, _ :: xs => Iter.every n k xs

def Iter.step_by {α : Type} (xs : List α) (n : Int) : Result (List α) :=
  if n = 0 then fail .panic else ok (Iter.every n.toNat 0 xs)

theorem Slice.index_ok {α : Type} {xs : List α} {i : Int} (h : i.toNat < xs.length) :
    Slice.index xs i = ok (xs[i.toNat]'h) := dif_pos h

theorem Slice.update_ok {α : Type} {xs : List α} {i : Int} {v : α} (h : i.toNat < xs.length) :
    Slice.update xs i v = ok (xs.set i.toNat v) := if_pos h
