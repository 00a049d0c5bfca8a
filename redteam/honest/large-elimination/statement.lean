theorem target (n m : Nat) (h : n = m) (p : Nat → Type) (x : p n) : (h ▸ x : p m) = cast (congrArg p h) x := by sorry
