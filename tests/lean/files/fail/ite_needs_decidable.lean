-- An `if` on an undecidable proposition; with `open Classical` it would be noncomputable.
-- expect: error 3:38 contains "failed to synthesize instance of type class\n  Decidable (∃ n, f n = 0)"
def hasZero (f : Nat → Nat) : Bool := if ∃ n, f n = 0 then true else false
