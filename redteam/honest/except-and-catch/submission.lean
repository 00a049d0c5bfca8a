def safeDiv (a b : Nat) : Except String Nat := do
  if b = 0 then throw "zero"
  return a / b
def orElse (a b : Nat) : Except String Nat := tryCatch (safeDiv a b) fun _ => pure 0
theorem target (a : Nat) : orElse a 0 = .ok 0 := rfl
