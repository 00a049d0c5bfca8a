-- An output parameter lets the element type be found from the container.
class Container (c : Type) (e : outParam Type) where
  empty : c
  insert : e → c → c
  toList : c → List e

instance : Container (List Nat) Nat := ⟨[], List.cons, id⟩
instance : Container String Char := ⟨"", fun ch s => s.push ch, fun s => s.toList⟩

def single {c e : Type} [Container c e] (x : e) : c := Container.insert x Container.empty

example : (single 5 : List Nat) = [5] := rfl
example (s : String) : List Char := Container.toList s
