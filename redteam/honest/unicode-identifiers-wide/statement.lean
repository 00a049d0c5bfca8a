structure Δ where
  ξ₁ : Nat
  ξ₂' : Nat
def Δ.«σ» (δ : Δ) : Nat := δ.ξ₁ + δ.ξ₂'
theorem ℵ₀'.β_αₙ (δ : Δ) : δ.σ = δ.ξ₂' + δ.ξ₁ := by sorry
