-- An equation used the wrong way round.
-- expect: error 3:51 is "Type mismatch\n  h\nhas type\n  a = b\nbut is expected to have type\n  b = a"
theorem flipped (a b : Nat) (h : a = b) : b = a := h
