structure Box where
  n : Nat
instance : WellFoundedRelation Box := invImage Box.n inferInstance
def drain (b : Box) : Nat := if h : b.n = 0 then 0 else drain ⟨b.n - 1⟩ + 1
termination_by b
decreasing_by
  show b.n - 1 < b.n
  omega
theorem drain_eq (n : Nat) : drain ⟨n⟩ = n := by
  induction n with
  | zero => rw [drain]; rfl
  | succ n ih => rw [drain]; simp [ih]
theorem target (n : Nat) : ∃ f : Box → Nat, f ⟨n⟩ = n := ⟨drain, drain_eq n⟩
