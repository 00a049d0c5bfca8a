local postfix:10 " ⊤⊤" => fun (_ : Prop) => True
theorem target (n : Nat) : (n + 1 = n ⊤⊤) = ((fun (_ : Prop) => True) (n + 1 = n)) := rfl
