def g (b : Bool) : Nat := match b with
  | false => 1
  | true => 1
theorem target (b : Bool) : g b = 1 := by cases b <;> rfl
