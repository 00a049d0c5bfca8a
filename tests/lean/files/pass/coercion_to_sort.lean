-- A structure with a carrier is used as a type.
structure PointedType where
  carrier : Type
  point : carrier

instance : CoeSort PointedType Type := ⟨PointedType.carrier⟩

def PointedType.const (A B : PointedType) : A → B := fun _ => B.point

def natPointed : PointedType := ⟨Nat, 0⟩

example : natPointed := (5 : Nat)
example (x : natPointed) : natPointed.const natPointed x = (0 : Nat) := rfl
