namespace Max
scoped instance : Add Nat := ⟨max⟩
end Max
open Max in
theorem Max.add_self (n : Nat) : @HAdd.hAdd Nat Nat Nat instHAdd n n = n := Nat.max_self n
theorem target (n : Nat) : max n n = n := Max.add_self n
