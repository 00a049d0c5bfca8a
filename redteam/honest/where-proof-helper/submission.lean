def loop : Nat → Nat → Nat
  | 0, acc => acc
  | n + 1, acc => loop n (acc + 2)
theorem target (n : Nat) : loop n 0 = 2 * n := by
  rw [key]; omega
where
  key : ∀ n acc, loop n acc = acc + 2 * n
    | 0, acc => rfl
    | n + 1, acc => by rw [loop, key n]; omega
