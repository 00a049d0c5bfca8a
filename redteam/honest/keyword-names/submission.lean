def «end» (n : Nat) : Nat := n + 1
def «theorem» : Nat := 0
theorem target : «end» «theorem» = 1 := rfl
