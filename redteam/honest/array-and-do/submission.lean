def total (xs : List Nat) : Nat := Id.run do
  let mut s := 0
  for x in xs do s := s + x
  return s
theorem target : total [1, 2, 3] = 6 := rfl
