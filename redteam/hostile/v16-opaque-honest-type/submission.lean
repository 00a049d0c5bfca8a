opaque n : { n : Nat // n < n } := ⟨0, sorryAx _ true⟩
theorem target : ∃ n : Nat, n < n := ⟨n.1, n.2⟩
