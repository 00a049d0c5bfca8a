structure Cfg where
  size : Nat
  ok : size = 3
def cfg : Cfg := ⟨3, rfl⟩
theorem target : cfg.1 = 4 := by sorry
