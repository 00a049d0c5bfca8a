theorem target (f g : Nat → Nat) (h : ∀ n, f n = g n) : (fun n => f (n + 1)) = fun n => g (n + 1) := by
  funext n
  congr 1 <;> exact h _
