-- A subtype element is used as an element of the base type, and built with its proof.
def Pos := { n : Nat // 0 < n }

def Pos.pred (p : Pos) : Nat := p.val - 1

abbrev Even := { n : Nat // n % 2 = 0 }

def Even.add (a b : Even) : Even := ⟨a + b, by have := a.property; have := b.property; omega⟩

example (a : Even) : Nat := a
example (a : Even) : (a : Nat) % 2 = 0 := a.property
example (a b : Even) (h : (a : Nat) = b) : a = b := Subtype.ext h
theorem even_add_val (a b : Even) : (a.add b : Nat) = a + b := rfl
