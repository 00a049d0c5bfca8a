-- #synth finds an instance; #check_failure expects an error; `example` needs no name.
-- expect: information 4:0 contains "instDecidableEqNat"
-- expect: information 5:15 contains "Type mismatch"
#synth DecidableEq Nat
#check_failure (true : Nat)
