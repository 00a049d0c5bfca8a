structure Pair.{u, v} (α : Type u) (β : Type v) : Type (max u v) where
  fst : α
  snd : β
def Pair.flip.{u, v} {α : Type u} {β : Type v} (p : Pair α β) : Pair β α := ⟨p.snd, p.fst⟩
theorem target.{u, v} {α : Type u} {β : Type v} (p : Pair α β) : p.flip.flip = p := by sorry
