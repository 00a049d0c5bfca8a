-- A wrong step inside a longer proof: the rest of the proof is still checked.
-- expect: error 4:24 contains "omega could not prove the goal"
theorem t (a b c : Nat) (h : a ≤ b) (h' : b ≤ c) : a ≤ c := by
  have h₁ : a < b := by omega
  have h₂ : a ≤ c := Nat.le_trans h h'
  exact h₂
