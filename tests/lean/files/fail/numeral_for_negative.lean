-- Natural numbers have no negation.
-- expect: error 3:18 contains "failed to synthesize instance of type class\n  Neg Nat"
def debt : Nat := -5
