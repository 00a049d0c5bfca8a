structure Bundle : Type (u + 1) where
  carrier : Type u
  point : carrier
def Bundle.prod (a b : Bundle.{u}) : Bundle.{u} := ⟨a.carrier × b.carrier, (a.point, b.point)⟩
theorem target (a b : Bundle.{u}) : (a.prod b).point.1 = a.point := by sorry
