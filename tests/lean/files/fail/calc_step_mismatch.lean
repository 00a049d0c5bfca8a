-- A calc chain whose end is not what was claimed.
-- expect: error 5:7 contains "invalid 'calc' step, left-hand side is\n  a : Nat\nbut is expected to be\n  c : Nat"
-- expect: error 6:4 contains "invalid 'calc' step, right-hand side is"
theorem t (a b c : Nat) (h₁ : a = b) (h₂ : b = c) : c = a :=
  calc a = b := h₁
    _ = c := h₂
