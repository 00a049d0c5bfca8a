-- Lean goes on after an error: each declaration reports its own.
-- expect: error 6:15 is "Unknown identifier `undefined₁`"
-- expect: error 8:35 is "unsolved goals\nn : Nat\n⊢ n < n + 1"
-- expect: error 11:18 contains "unexpected token"
-- expect: error 13:15 is "Unknown identifier `undefined₂`"
def a : Nat := undefined₁

theorem b (n : Nat) : n < n + 1 := by
  skip

def c : Nat := 1 + )

def d : Nat := undefined₂ + a

theorem good : 1 = 1 := rfl
