-- Structures satisfy eta definitionally; equality goes field by field.
@[ext]
structure Interval where
  lo : Nat
  hi : Nat
  le : lo ≤ hi

theorem eta (i : Interval) : Interval.mk i.lo i.hi i.le = i := rfl

def Interval.width (i : Interval) : Nat := i.hi - i.lo

theorem eq_of_bounds (i j : Interval) (h₁ : i.lo = j.lo) (h₂ : i.hi = j.hi) : i = j := by
  ext
  · exact h₁
  · exact h₂

theorem lo_add_width (i : Interval) : i.lo + i.width = i.hi := by
  have := i.le
  unfold Interval.width
  omega

def hull (i j : Interval) : Interval where
  lo := min i.lo j.lo
  hi := max i.hi j.hi
  le := by have := i.le; omega
