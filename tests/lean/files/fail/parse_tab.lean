-- Tabs are not allowed.
-- expect: error 5:0 contains "tabs are not allowed"
-- expect: warning 4:4 contains "declaration uses `sorry`"
def x : Nat :=
	3
