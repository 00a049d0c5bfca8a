-- Fold fusion: a homomorphism moves through a right fold.
theorem foldr_fusion {α β γ : Type} (h : β → γ) (f : α → β → β) (g : α → γ → γ) (e : β)
    (fuse : ∀ a b, h (f a b) = g a (h b)) (xs : List α) : h (xs.foldr f e) = xs.foldr g (h e) := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [List.foldr_cons, List.foldr_cons, fuse, ih]

theorem length_as_fold {α : Type} (xs : List α) : xs.length = xs.foldr (fun _ n => n + 1) 0 := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [List.length_cons, ih, List.foldr_cons]

theorem sum_double (xs : List Nat) : 2 * xs.foldr (· + ·) 0 = xs.foldr (fun x s => 2 * x + s) 0 :=
  foldr_fusion (2 * ·) _ _ 0 (fun a b => Nat.mul_add 2 a b) xs
