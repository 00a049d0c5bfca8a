@[ext] structure Point where
  x : Nat
  y : Nat
def Point.swap (p : Point) : Point := ⟨p.y, p.x⟩
theorem target (p q : Point) (h : p.swap = q.swap) : p = q := by
  have hx := congrArg Point.x h
  have hy := congrArg Point.y h
  exact Point.ext hy hx
