-- Later and higher-priority instances win; local instances end with their section.
class Color (α : Type) where
  code : Nat

instance base : Color Nat := ⟨1⟩
instance (priority := low) fallback {α : Type} : Color α := ⟨0⟩

example : Color.code Nat = 1 := rfl
example : Color.code Bool = 0 := rfl

section
local instance : Color Nat := ⟨7⟩
example : Color.code Nat = 7 := rfl
end

example : Color.code Nat = 1 := rfl
