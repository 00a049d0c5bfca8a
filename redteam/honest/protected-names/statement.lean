namespace N
protected def add (a b : Nat) : Nat := a + b
protected theorem add_comm (a b : Nat) : N.add a b = N.add b a := Nat.add_comm a b
end N
open N
theorem target (a b : Nat) : N.add a b = N.add b a := by sorry
