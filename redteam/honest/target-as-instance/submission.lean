class Marked (n : Nat) : Prop where
  out : n = n
instance target : Marked 3 := ⟨rfl⟩
