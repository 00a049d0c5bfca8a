/-!
A tour of what `unsorry prove` does.  Run `make tour`, or

    unsorry prove examples/tour.lean

Each `sorry` below is one task.  One of the statements is false, and one is far out of reach.
-/

/-! Logic and arithmetic: Lean's own tactics, tried in the right order. -/

theorem and_or_distrib (p q r : Prop) : p ∧ (q ∨ r) → (p ∧ q) ∨ (p ∧ r) := by
  sorry

theorem sub_bound (a b c : Nat) (h : a + b < c) : b < c - a := by
  sorry

/-! A hole inside a proof that somebody began, and one in term position. -/

theorem next_le (x y : Int) (h : 2 * x < 2 * y) : x + 1 ≤ y := by
  have strict : x < y := by
    sorry
  exact strict

def double (n : Nat) : Nat := n + n

theorem double_eq (n : Nat) : double n = 2 * n := sorry

/-! A data type of one's own: induction. -/

inductive Tree (α : Type) where
  | leaf
  | node (left : Tree α) (value : α) (right : Tree α)

namespace Tree

def mirror {α : Type} : Tree α → Tree α
  | leaf => leaf
  | node l x r => node r.mirror x l.mirror

def size {α : Type} : Tree α → Nat
  | leaf => 0
  | node l _ r => l.size + 1 + r.size

theorem mirror_mirror {α : Type} (t : Tree α) : t.mirror.mirror = t := by
  sorry

theorem size_mirror {α : Type} (t : Tree α) : t.mirror.size = t.size := by
  sorry

end Tree

/-! This one is open (Collatz): it costs its whole time limit, while the others go on. -/

def step (n : Nat) : Nat := if n % 2 = 0 then n / 2 else 3 * n + 1

def steps : Nat → Nat → Nat
  | 0, n => n
  | k + 1, n => steps k (step n)

theorem collatz (n : Nat) (h : 0 < n) : ∃ k, steps k n = 1 := by
  sorry

/-! Lemmas that have to be found first: `rev` of an append, and what an accumulator does. -/

def rev {α : Type} : List α → List α
  | [] => []
  | x :: xs => rev xs ++ [x]

theorem rev_rev {α : Type} (xs : List α) : rev (rev xs) = xs := by
  sorry

def revAcc {α : Type} : List α → List α → List α
  | [], acc => acc
  | x :: xs, acc => revAcc xs (x :: acc)

theorem revAcc_eq_rev {α : Type} (xs : List α) : revAcc xs [] = rev xs := by
  sorry

/-! This one is false: a counterexample is found, and Lean accepts the proof that it is one. -/

theorem rev_append (xs ys : List Nat) : rev (xs ++ ys) = rev xs ++ rev ys := by
  sorry
