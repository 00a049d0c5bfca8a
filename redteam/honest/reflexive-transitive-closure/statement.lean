inductive Star (r : α → α → Prop) (a : α) : α → Prop
  | refl : Star r a a
  | tail {b c} : Star r a b → r b c → Star r a c
theorem target {r : α → α → Prop} (h : Star r a b) (k : Star r b c) : Star r a c := by sorry
