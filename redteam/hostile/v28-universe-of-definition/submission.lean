structure Holder where
  α : Prop
  n : Fin 1
theorem target (h : Holder) : h.n = 0 := by
  have := h.n.isLt
  cases h with | mk α n => cases n with | mk v lt => cases v with
    | zero => rfl
    | succ k => exact absurd lt (by omega)
