/- a /- nested -/ comment -/

theorem
  target -- the name
  (a
   b : Nat)
  (h : a = b) /- the hypothesis -/ :
    b
      = a
  :=
    Eq.symm
      h
