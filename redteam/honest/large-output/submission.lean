def lines (n : Nat) : String := (List.range n).foldl (fun s _ => s ++ "all is well\n") ""
#eval lines 50000
theorem target (n : Nat) : n + 0 = n := rfl
