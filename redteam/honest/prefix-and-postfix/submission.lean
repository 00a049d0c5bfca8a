def fact : Nat → Nat
  | 0 => 1
  | n + 1 => (n + 1) * fact n
postfix:max "‼" => fact
prefix:90 "√√" => Nat.log2
theorem target : (4 ‼) = 24 ∧ √√ 16 = 4 := by decide
