def f (n : Nat) : Nat := match n with
  | 0 => 1
  | _ + 1 => 2
theorem target (n : Nat) : f (n + 1) = 1 := by sorry
