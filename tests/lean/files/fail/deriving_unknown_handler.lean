-- A class without a deriving handler.
-- expect: error 5:11 contains "No deriving handlers have been implemented for class `Add`"
structure Pt where
  x : Nat
  deriving Add
