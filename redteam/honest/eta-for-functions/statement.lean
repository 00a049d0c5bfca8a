structure Box (α : Type) where
  get : α
theorem target (f : Nat → Box (Nat → Nat)) : (fun n => Box.mk fun m => (f n).get m) = f := by sorry
