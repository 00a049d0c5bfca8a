section
local instance : Mul Bool := ⟨and⟩
theorem mul_comm' (a b : Bool) : a * b = b * a := by cases a <;> cases b <;> rfl
end
theorem target (a b : Bool) : (a && b) = (b && a) := mul_comm' a b
