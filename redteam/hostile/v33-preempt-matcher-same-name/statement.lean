def g (b : Bool) : Nat := match b with
  | true => 1
  | false => 0
theorem target (b : Bool) : g b = 1 := by sorry
