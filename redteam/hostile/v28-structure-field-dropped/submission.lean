structure Point where
  x : Nat
theorem target (p q : Point) (h : p.x = q.x) : p = q := by cases p; cases q; cases h; rfl
