inductive T where | nil | bin (l r : T)
def T.height : T → Nat
  | .nil => 0
  | .bin l r => max l.height r.height + 1
def T.count : T → Nat
  | .nil => 0
  | .bin l r => l.count + r.count + 1
theorem target (t : T) : t.height ≤ t.count := by sorry
