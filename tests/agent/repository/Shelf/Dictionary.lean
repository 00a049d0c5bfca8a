/-! Dictionaries as lists of pairs; the first entry of a key counts. -/

namespace Shelf

abbrev Dictionary := List (Nat × Nat)

namespace Dictionary

def find (d : Dictionary) (key : Nat) : Option Nat :=
  match d with
  | [] => none
  | (k, v) :: rest => if k = key then some v else find rest key

def put (d : Dictionary) (key value : Nat) : Dictionary := (key, value) :: d

def erase (d : Dictionary) (key : Nat) : Dictionary :=
  match d with
  | [] => []
  | (k, v) :: rest => if k = key then erase rest key else (k, v) :: erase rest key

theorem find_put (d : Dictionary) (k v : Nat) : find (put d k v) k = some v := by
  sorry

theorem find_put_other (d : Dictionary) (k l v : Nat) (h : k ≠ l) : find (put d k v) l = find d l := by
  sorry

theorem find_erase (d : Dictionary) (k : Nat) : find (erase d k) k = none := by
  sorry

end Dictionary

end Shelf
