-- Nested recursion through `List.attach`, by the size of the argument.
inductive Rose where
  | node (label : Nat) (children : List Rose)

def Rose.total : Rose → Nat
  | .node n cs => n + (cs.attach.map fun ⟨c, _⟩ => c.total).sum
