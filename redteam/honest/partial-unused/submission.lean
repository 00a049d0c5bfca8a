partial def collatz (n : Nat) : Nat := if n ≤ 1 then 0 else collatz (if n % 2 = 0 then n / 2 else 3 * n + 1) + 1
#eval collatz 27
theorem target (n : Nat) : n + 0 = n := rfl
