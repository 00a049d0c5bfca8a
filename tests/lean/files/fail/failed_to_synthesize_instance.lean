-- Missing instances: an operation, a literal, a decision procedure.
-- expect: error 8:33 contains "failed to synthesize instance of type class\n  HAdd Color Color"
-- expect: error 10:21 contains "failed to synthesize instance of type class\n  OfNat Color 3"
-- expect: error 12:29 contains "failed to synthesize instance of type class\n  Decidable p"
inductive Color where
  | red | green

def mix (a b : Color) : Color := a + b

def three : Color := 3

def test (p : Prop) : Nat := if p then 1 else 2
