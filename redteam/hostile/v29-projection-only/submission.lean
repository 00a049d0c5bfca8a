structure Cfg where
  size : Nat
  ok : size = 4
def cfg : Cfg := ⟨4, rfl⟩
theorem target : cfg.1 = 4 := rfl
