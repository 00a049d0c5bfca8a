-- A name that does not exist.
-- expect: error 4:17 is "Unknown identifier `sucessor`"
-- expect: error 6:39 contains "Unknown constant `Nat.ad_comm`"
def two : Nat := sucessor 1

example (a b : Nat) : a + b = b + a := Nat.ad_comm a b
