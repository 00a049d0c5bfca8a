theorem original (n : Nat) : n + 0 = n := rfl
alias target := original
