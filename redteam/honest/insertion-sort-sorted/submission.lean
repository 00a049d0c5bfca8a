def insert' (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: ys => if x ≤ y then x :: y :: ys else y :: insert' x ys
def isort : List Nat → List Nat
  | [] => []
  | x :: xs => insert' x (isort xs)
inductive Sorted : List Nat → Prop
  | nil : Sorted []
  | one (x) : Sorted [x]
  | more {x y l} (h : x ≤ y) (t : Sorted (y :: l)) : Sorted (x :: y :: l)
theorem sorted_insert' (x : Nat) : ∀ l, Sorted l → Sorted (insert' x l)
  | [], _ => .one x
  | [y], _ => by
    unfold insert'
    split
    · exact .more ‹_› (.one y)
    · exact .more (by omega) (.one x)
  | y :: z :: l, .more h t => by
    have ih := sorted_insert' x (z :: l) t
    unfold insert'
    split
    · exact .more ‹_› (.more h t)
    · unfold insert' at ih ⊢
      split at ih <;> simp_all
      · exact .more (by omega) ih
      · split
        · omega
        · exact .more h ih
theorem target (l : List Nat) : Sorted (isort l) := by
  induction l with
  | nil => exact .nil
  | cons x xs ih => exact sorted_insert' x _ ih
