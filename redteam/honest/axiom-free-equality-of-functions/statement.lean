theorem target (f : Nat → Nat) : (fun x => f x) = f := by sorry
