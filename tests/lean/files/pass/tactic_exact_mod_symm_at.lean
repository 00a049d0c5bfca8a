-- `rw ... at` with `symm at`, `apply ... at`-free forward steps, `replace`, `exact (... ▸ ...)`.
example (a b c : Nat) (h : a = b) (hb : c = a) : b = c := by
  symm at hb
  exact h.symm.trans hb

example (p : Nat → Prop) (a b : Nat) (h : a = b) (hp : p b) : p a := h ▸ hp

example (p : Nat → Prop) (a b : Nat) (h : a = b) (hp : p a) : p b := by
  replace hp : p b := by
    rw [← h]
    exact hp
  exact hp
