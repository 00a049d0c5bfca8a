/-- theorem target (n : Nat) : n + 1 = n -/
theorem target /- (n : Nat) : n + 1 = n -/ : "theorem target (n : Nat) : n + 1 = n" = "theorem target (n : Nat) : n + 1 = n" := rfl
