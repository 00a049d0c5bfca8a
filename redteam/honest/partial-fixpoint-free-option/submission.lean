def collatz : Nat → Nat → Option Nat
  | 0, _ => none
  | _ + 1, 1 => some 0
  | fuel + 1, n => (collatz fuel (if n % 2 = 0 then n / 2 else 3 * n + 1)).map (· + 1)
theorem target : collatz 20 6 = some 8 := by decide
