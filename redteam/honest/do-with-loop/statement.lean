def sum (l : List Nat) : Nat := Id.run do
  let mut s := 0
  for x in l do
    s := s + x
  return s
theorem target : sum [1, 2, 3] = 6 := by sorry
