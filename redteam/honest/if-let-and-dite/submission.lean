def clamp (n k : Nat) : { m : Nat // m ≤ k } := if h : n ≤ k then ⟨n, h⟩ else ⟨k, Nat.le_refl k⟩
theorem target (n k : Nat) (h : n ≤ k) : (clamp n k).val = n := by
  unfold clamp
  rw [dif_pos h]
