-- Local notation ends with its section, scoped notation comes with its namespace.
section
local notation "𝟙" => (1 : Nat)
example : 𝟙 + 𝟙 = 2 := rfl
end

namespace Geometry
structure Line where
  slope : Nat
def parallel (l m : Line) : Prop := l.slope = m.slope
scoped infix:50 " ∥ " => parallel
end Geometry

open Geometry in
example (l : Line) : l ∥ l := rfl

section
open scoped Geometry
theorem par_symm {l m : Geometry.Line} (h : l ∥ m) : m ∥ l := h.symm
end
