section
local notation a " ⊞ " b => HAdd.hAdd a b
theorem helper (a b : Nat) : (a ⊞ b) = b ⊞ a := Nat.add_comm a b
end
theorem target (a b : Nat) : a + b = b + a := helper a b
