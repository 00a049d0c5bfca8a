theorem target (f g : Empty → Nat) (u v : Unit) : f = g ∧ u = v := by sorry
