inductive Tree where
  | leaf (n : Nat)
  | fork (l : Option Tree) (r : List Tree)
def Tree.value : Tree → Nat
  | .leaf n => n + 1
  | .fork _ _ => 0
theorem target (n : Nat) : ∃ m, m = n + 1 := ⟨(Tree.leaf n).value, rfl⟩
