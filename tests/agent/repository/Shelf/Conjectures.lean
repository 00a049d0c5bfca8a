import Shelf.Trees
import Shelf.Sorting

/-! What somebody believed.  Not all of it is true. -/

namespace Shelf

/-- False: the order of the parts is wrong. -/
theorem rev_append (xs ys : List Nat) : rev (xs ++ ys) = rev xs ++ rev ys := by
  sorry

/-- False for a tree that is not its own mirror image. -/
theorem mirror_eq (t : Tree Nat) : t.mirror = t := by
  sorry

def collatz : Nat → Nat → Bool
  | 0, _ => false
  | fuel + 1, n => if n ≤ 1 then true else collatz fuel (if n % 2 = 0 then n / 2 else 3 * n + 1)

/-- Nobody knows. -/
theorem collatz_ends (n : Nat) : ∃ fuel, collatz fuel n = true := by
  sorry

end Shelf
