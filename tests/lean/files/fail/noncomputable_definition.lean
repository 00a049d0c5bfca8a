-- A definition by choice has no code.
-- expect: error 3:4 contains "noncomputable"
def pick (h : Nonempty Nat) : Nat := Classical.choice h
