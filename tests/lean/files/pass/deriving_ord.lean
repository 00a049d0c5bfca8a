-- Derived order: constructors in order, then arguments lexicographically.
-- expect: information 16:0 is "Ordering.lt"
inductive Size where
  | small | medium | large
  deriving Ord, Repr

structure Version where
  major : Nat
  minor : Nat
  deriving Ord

example : compare Size.small Size.large = .lt := rfl
example : compare (Version.mk 1 9) (Version.mk 2 0) = .lt := rfl
example : compare (Version.mk 2 3) (Version.mk 2 3) = .eq := rfl

#eval compare Size.medium Size.large
