example : 1 = 1 := rfl
#check Nat
#print axioms Nat.add_comm
theorem target (n : Nat) : n + 0 = n := rfl
#eval 1 + 1
example (n : Nat) : n + 0 = n := target n
