def firstTwo (l : List Nat) : Option (Nat × Nat) := do
  let a :: b :: _ := l | none
  return (a, b)
theorem target (a b : Nat) (l : List Nat) : firstTwo (a :: b :: l) = some (a, b) := rfl
