class Container (c : Type) (e : outParam Type) where
  toList : c → List e
instance : Container (List Nat) Nat := ⟨id⟩
instance [Container c e] : Container (Option c) e := ⟨fun
  | none => []
  | some x => Container.toList x⟩
theorem target (l : List Nat) : Container.toList (some l) = l := by sorry
