-- A class parameter that nothing determines: no instance, or a problem that is stuck.
-- expect: error 7:15 contains "failed to synthesize instance of type class\n  Named ?m"
-- expect: error 9:23 contains "typeclass instance problem is stuck"
class Named (α : Type) where
  name : Nat

def x : Nat := Named.name _

def double := fun x => x + x
