-- Subtypes: construction, projection, extensionality.
def Vect (α : Type) (n : Nat) := { xs : List α // xs.length = n }

namespace Vect

variable {α β : Type} {m n : Nat}

def nil : Vect α 0 := ⟨[], rfl⟩
def cons (x : α) (v : Vect α n) : Vect α (n + 1) := ⟨x :: v.1, by rw [List.length_cons, v.2]⟩
def append (v : Vect α m) (w : Vect α n) : Vect α (m + n) := ⟨v.1 ++ w.1, by rw [List.length_append, v.2, w.2]⟩
def map (f : α → β) (v : Vect α n) : Vect β n := ⟨v.1.map f, by rw [List.length_map, v.2]⟩

@[ext] theorem ext {v w : Vect α n} (h : v.1 = w.1) : v = w := Subtype.ext h

theorem map_id (v : Vect α n) : v.map id = v := by
  ext
  simp [map]

end Vect
