-- Library search that finds nothing says so.
-- expect: error 3:40 contains "could not close the goal"
example (p q : Prop) (hp : p) : q := by exact?
