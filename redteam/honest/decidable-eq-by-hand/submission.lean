inductive Bit where | o | i
instance : DecidableEq Bit
  | .o, .o => .isTrue rfl
  | .i, .i => .isTrue rfl
  | .o, .i => .isFalse nofun
  | .i, .o => .isFalse nofun
theorem target : ∀ a : Bit, a = .o ∨ a = .i := fun a =>
  if h : a = .o then .inl h else .inr (by cases a <;> trivial)
