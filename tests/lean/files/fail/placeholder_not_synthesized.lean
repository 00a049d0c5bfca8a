-- A hole that unification does not fill.
-- expect: error 3:60 contains "don't know how to synthesize placeholder"
example (p q : Prop) (h : p → q) (hp : p) : q ∧ p := ⟨h hp, _⟩
