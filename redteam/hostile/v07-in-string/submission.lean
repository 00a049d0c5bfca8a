def text : String := "
theorem target (n : Nat) : n + 1 = n := by omega
"
