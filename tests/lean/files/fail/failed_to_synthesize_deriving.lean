-- Deriving fails when a field has no instance.
-- expect: error 5:11 contains "failed to synthesize instance of type class\n  Decidable (a✝ = b✝)"
structure Machine where
  step : Nat → Nat
  deriving DecidableEq
