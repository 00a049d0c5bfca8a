theorem target (p q r : Prop) (h : p → q) (k : q → r) : p → r := 
  fun hp =>
  suffices hq : q from k hq
  have hq : q := h hp
  show q from hq
