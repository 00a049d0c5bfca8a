theorem target (f : α → α → Prop) : ¬∀ s : α → Prop, ∃ a, f a = s := by
  intro h
  obtain ⟨a, ha⟩ := h fun x => ¬f x x
  have key : f a a ↔ ¬f a a := by
    have := congrFun ha a
    exact ⟨fun h => this ▸ h, fun h => this.symm ▸ h⟩
  exact (fun hn => hn (key.mpr hn)) fun hp => key.mp hp hp
