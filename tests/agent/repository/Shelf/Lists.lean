/-! Lists: reversal with an accumulator, prefixes, sums. -/

namespace Shelf

def snoc {α : Type} : List α → α → List α
  | [], a => [a]
  | x :: xs, a => x :: snoc xs a

def rev {α : Type} : List α → List α
  | [] => []
  | x :: xs => snoc (rev xs) x

def revOnto {α : Type} : List α → List α → List α
  | [], ys => ys
  | x :: xs, ys => revOnto xs (x :: ys)

def total : List Nat → Nat
  | [] => 0
  | x :: xs => x + total xs

theorem snoc_eq_append {α : Type} (xs : List α) (a : α) : snoc xs a = xs ++ [a] := by
  sorry

theorem rev_snoc {α : Type} (xs : List α) (a : α) : rev (snoc xs a) = a :: rev xs := by
  sorry

theorem rev_rev {α : Type} (xs : List α) : rev (rev xs) = xs := by
  sorry

theorem revOnto_eq {α : Type} (xs ys : List α) : revOnto xs ys = rev xs ++ ys := by
  sorry

theorem total_append (xs ys : List Nat) : total (xs ++ ys) = total xs + total ys := by
  sorry

end Shelf
