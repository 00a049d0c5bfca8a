import Shelf.Numbers

/-! Insertion sort. -/

namespace Shelf

def insert (n : Nat) : List Nat → List Nat
  | [] => [n]
  | x :: xs => if n ≤ x then n :: x :: xs else x :: insert n xs

def sort : List Nat → List Nat
  | [] => []
  | x :: xs => insert x (sort xs)

def sorted : List Nat → Bool
  | [] => true
  | [_] => true
  | x :: y :: rest => decide (x ≤ y) && sorted (y :: rest)

def occurrences (n : Nat) : List Nat → Nat
  | [] => 0
  | x :: xs => if n = x then occurrences n xs + 1 else occurrences n xs

theorem length_sort (xs : List Nat) : (sort xs).length = xs.length := by
  sorry

theorem occurrences_sort (n : Nat) (xs : List Nat) : occurrences n (sort xs) = occurrences n xs := by
  sorry

theorem sorted_sort (xs : List Nat) : sorted (sort xs) = true := by
  sorry

end Shelf
