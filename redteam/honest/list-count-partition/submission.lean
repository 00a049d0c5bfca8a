def cnt (p : Nat → Bool) : List Nat → Nat
  | [] => 0
  | x :: xs => (if p x then 1 else 0) + cnt p xs
theorem target (p : Nat → Bool) (xs : List Nat) : cnt p xs + cnt (fun x => !p x) xs = xs.length := by
  induction xs with
  | nil => rfl
  | cons x xs ih => cases h : p x <;> simp [cnt, h] <;> omega
