-- A tactic that is not in the column of its block ends the block.
-- expect: error 4:52 contains "unsolved goals"
-- expect: error 6:2 contains "expected command"
theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
    constructor
  exact hp
