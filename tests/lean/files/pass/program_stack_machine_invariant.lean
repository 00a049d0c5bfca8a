-- A counter machine keeps its invariant along every run.
structure State where
  x : Nat
  y : Nat

inductive Step : State → State → Prop where
  | move (x y : Nat) : Step ⟨x + 1, y⟩ ⟨x, y + 1⟩
  | reset (y : Nat) : Step ⟨0, y⟩ ⟨y, 0⟩

inductive Reach : State → State → Prop where
  | refl (s : State) : Reach s s
  | tail {s t u : State} (h : Reach s t) (hs : Step t u) : Reach s u

theorem step_total {s t : State} (h : Step s t) : s.x + s.y = t.x + t.y := by
  cases h with
  | move x y => show x + 1 + y = x + (y + 1); omega
  | reset y => show 0 + y = y + 0; omega

theorem reach_total {s t : State} (h : Reach s t) : s.x + s.y = t.x + t.y := by
  induction h with
  | refl => rfl
  | tail _ hs ih => exact ih.trans (step_total hs)

theorem unreachable : ¬Reach ⟨3, 0⟩ ⟨2, 2⟩ := fun h => absurd (reach_total h) (by decide)
