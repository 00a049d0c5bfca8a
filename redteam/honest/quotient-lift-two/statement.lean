def Diff : Setoid (Nat × Nat) where
  r p q := p.1 + q.2 = q.1 + p.2
  iseqv := ⟨fun _ => rfl, fun h => h.symm, fun {a b c} h k => by
    have h : a.1 + b.2 = b.1 + a.2 := h
    have k : b.1 + c.2 = c.1 + b.2 := k
    show a.1 + c.2 = c.1 + a.2
    omega⟩
def Z := Quotient Diff
def Z.mk (a b : Nat) : Z := Quotient.mk Diff (a, b)
theorem target : Z.mk 5 3 = Z.mk 2 0 := by sorry
