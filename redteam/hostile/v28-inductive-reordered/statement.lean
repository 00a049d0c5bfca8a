inductive Dir where
  | left | right
def Dir.code : Dir → Nat
  | .left => 0
  | .right => 1
theorem target : Dir.left.code = 0 := by sorry
