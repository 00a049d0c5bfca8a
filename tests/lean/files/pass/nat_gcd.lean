-- The library's gcd: evaluation and divisibility.
example : Nat.gcd 48 18 = 6 := by decide
example (n : Nat) : Nat.gcd n 0 = n := Nat.gcd_zero_right n
example (n : Nat) : Nat.gcd 0 n = n := Nat.gcd_zero_left n
example (m n : Nat) : Nat.gcd m n ∣ m := Nat.gcd_dvd_left m n
example (m n : Nat) : Nat.gcd m n ∣ n := Nat.gcd_dvd_right m n
example (k m n : Nat) (h₁ : k ∣ m) (h₂ : k ∣ n) : k ∣ Nat.gcd m n := Nat.dvd_gcd h₁ h₂
example (m n : Nat) : Nat.gcd m n = Nat.gcd n m := Nat.gcd_comm m n
