-- Attributes: simp sets, reducibility, local and scoped attributes, removal.
def f (n : Nat) : Nat := n + 0

@[simp] theorem f_eq (n : Nat) : f n = n := rfl

example (n : Nat) : f (f n) = n := by simp

section
attribute [-simp] f_eq
example (n : Nat) : f n = n := by
  fail_if_success simp
  rfl
end

example (n : Nat) : f n = n := by simp

section
theorem two_eq : 2 = 1 + 1 := rfl
def g (n : Nat) : Nat := n * n
attribute [local simp] g
example : g 3 = 9 := by simp
end

@[reducible] def Id' (α : Type) := α
example : Inhabited (Id' Nat) := inferInstance
