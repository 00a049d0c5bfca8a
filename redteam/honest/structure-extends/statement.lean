structure A where
  x : Nat := 1
structure B extends A where
  y : Nat := 2
theorem target : ({} : B).x + ({} : B).toA.x = ({} : B).y := by sorry
