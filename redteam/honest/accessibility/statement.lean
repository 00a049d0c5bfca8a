theorem target {r : α → α → Prop} (wf : WellFounded r) (x : α) : ¬r x x := by sorry
