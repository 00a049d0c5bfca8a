theorem target (n : Nat) (h : n + 1 = n := by assumption) : n + 1 = n := h
