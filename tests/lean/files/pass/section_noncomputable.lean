-- Noncomputable sections, local instances, nested sections with shadowed variables.
noncomputable section

variable (p : Nat → Prop) (h : ∃ n, p n)

def witness : Nat := Classical.choose h

theorem witness_spec : p (witness p h) := Classical.choose_spec h

end

section Outer
variable (n : Nat)

section Inner
variable (n : Bool)
def flipped : Bool := !n
end Inner

def next : Nat := n + 1
end Outer

example : flipped true = false := rfl
example : next 3 = 4 := rfl
