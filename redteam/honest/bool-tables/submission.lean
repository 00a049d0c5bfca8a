theorem target : ∀ a b c : Bool, (a && (b || c)) = ((a && b) || (a && c)) := by decide
