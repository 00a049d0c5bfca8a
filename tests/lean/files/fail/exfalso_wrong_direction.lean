-- A contradiction that is none: `absurd` with unrelated hypotheses.
-- expect: error 3:61 contains "Application type mismatch"
theorem t (p q r : Prop) (hp : p) (hq : ¬q) : r := absurd hp hq
