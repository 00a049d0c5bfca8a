import Shelf.Lists

/-! A name for a type: what is proved of the type has to be found under the name. -/

namespace Shelf

def Bits := List Bool

def ones : Nat → Bits
  | 0 => ([] : List Bool)
  | n + 1 => (List.cons true (ones n) : List Bool)

theorem length_ones (n : Nat) : (ones n).length = n := by
  sorry

theorem ones_append (m n : Nat) : (show List Bool from ones m) ++ (show List Bool from ones n) = ones (m + n) := by
  sorry

end Shelf
