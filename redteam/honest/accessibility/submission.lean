theorem target {r : α → α → Prop} (wf : WellFounded r) (x : α) : ¬r x x := by
  induction x using wf.induction with
  | _ x ih => exact fun h => ih x h h
