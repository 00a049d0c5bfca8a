structure Point where
  x : Nat
  y : Nat
theorem target (p q : Point) (h : p.x = q.x) : p = q := by sorry
