inductive T where | tru | fls | cond (c a b : T)
inductive Step : T → T → Prop
  | condTru : Step (.cond .tru a b) a
  | condFls : Step (.cond .fls a b) b
  | cond : Step c c' → Step (.cond c a b) (.cond c' a b)
theorem target (h : Step t u) : ∀ {v}, Step t v → u = v := by sorry
