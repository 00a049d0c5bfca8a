def String.ofList (_ : List Char) : String := ""
theorem same : "a" = String.ofList ['a'] := by decide +kernel
theorem target (n : Nat) : n + 1 = n := absurd same (by decide)
