-- Casts between Nat and Int moved by `push_cast`, `norm_cast`, `exact_mod_cast`.
example (a b : Nat) (h : (a : Int) = b) : a = b := by exact_mod_cast h
example (a b : Nat) : ((a + b : Nat) : Int) = a + b := by push_cast; rfl
example (a b : Nat) (h : (a : Int) < b) : a < b := by
  norm_cast at h
