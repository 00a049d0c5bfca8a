-- Evaluation refuses to run what depends on a hole.
-- expect: warning 4:4 is "declaration uses `sorry`"
-- expect: error 6:0 contains "Aborting evaluation since the expression depends on the 'sorry' axiom"
def unfinished (n : Nat) : Nat := sorry + n

#eval unfinished 3
