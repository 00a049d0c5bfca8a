namespace Ops
def sub1 (a b : Nat) : Nat := a - b + 1
scoped infixl:65 " ⊖ " => sub1
end Ops
open scoped Ops
theorem target (a : Nat) : a ⊖ a = 1 := by sorry
