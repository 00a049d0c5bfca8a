import «..».«..».«tmp».«Evil»
theorem target (n : Nat) : n + 1 = n := evil n
