inductive Rose where
  | node (label : Nat) (children : List Rose)
def Rose.label : Rose → Nat
  | .node n _ => n
theorem target (n : Nat) (cs : List Rose) : (Rose.node n cs).label = n := by sorry
