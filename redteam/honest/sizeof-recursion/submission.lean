inductive B where | tip | fork (l r : B)
def B.swapSum (t u : B) : Nat := match t with
  | tip => 0
  | fork l r => B.swapSum r u + B.swapSum l u + 1
theorem target (u : B) : (B.fork .tip .tip).swapSum u = 1 := rfl
