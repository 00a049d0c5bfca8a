theorem target {a b : α} (h : a = b) (p : α → Prop) (hp : p a) : p b := by sorry
