-- #check, #print, #reduce and #eval answer as expected.
-- expect: information 13:0 is "Nat.succ (n : Nat) : Nat"
-- expect: information 14:0 is "5"
-- expect: information 15:0 contains "'twice' does not depend on any axioms"
-- expect: information 16:0 is "fun x => x + x : Nat → Nat"
-- expect: information 17:0 contains "def twice : Nat → Nat"
-- expect: information 18:0 contains "inductive Light : Type"
def twice (n : Nat) : Nat := n + n

inductive Light where
  | on | off

#check Nat.succ
#reduce twice 2 + 1
#print axioms twice
#check (fun x => x + x : Nat → Nat)
#print twice
#print Light
