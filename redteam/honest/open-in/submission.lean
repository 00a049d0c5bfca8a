open Classical in
theorem target (p : Prop) : p ∨ ¬p := em p
