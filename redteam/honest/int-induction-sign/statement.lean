def mag : Int → Nat
  | .ofNat n => n
  | .negSucc n => n + 1
theorem target (z : Int) : 0 ≤ z → (mag z : Int) = z := by sorry
