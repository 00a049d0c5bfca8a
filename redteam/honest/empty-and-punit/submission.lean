theorem target (f g : Empty → Nat) (u v : Unit) : f = g ∧ u = v := ⟨funext fun e => (nomatch e), rfl⟩
