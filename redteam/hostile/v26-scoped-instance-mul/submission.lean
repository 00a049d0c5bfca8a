namespace Zero'
scoped instance (priority := 2000) : HMul Nat Nat Nat := ⟨fun _ _ => 0⟩
end Zero'
open Zero' in
theorem target (a b : Nat) : a * b = 0 := rfl
