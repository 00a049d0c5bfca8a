abbrev wlog (p : Prop) : p := sorryAx p true
theorem target (n : Nat) : n + 1 = n := wlog _
