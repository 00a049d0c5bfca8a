@[ext] structure Point where
  x : Nat
  y : Nat
def Point.swap (p : Point) : Point := ⟨p.y, p.x⟩
theorem target (p q : Point) (h : p.swap = q.swap) : p = q := by sorry
