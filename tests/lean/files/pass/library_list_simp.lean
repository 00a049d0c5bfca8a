-- What `simp` knows of lists.
variable {α β : Type} (x y : α) (xs ys zs : List α) (f : α → β) (p q : α → Bool)
example : (xs ++ ys).reverse.length = ys.length + xs.length := by simp
example : (xs.map f).length + 0 = xs.length := by simp
example : xs ++ ys = xs ++ zs ↔ ys = zs := by simp
example : xs ++ zs = ys ++ zs ↔ xs = ys := by simp
example : [x] = [y] ↔ x = y := by simp
example : x ∈ [y] ↔ x = y := by simp
example : [] ≠ x :: xs := by simp
example : (x :: xs).length ≠ 0 := by simp
example : xs.length = 0 ↔ xs = [] := by simp
example : (xs.reverse = []) ↔ xs = [] := by simp
example : (xs ++ [x]).reverse = x :: xs.reverse := by simp
example (n : Nat) : (List.replicate (n + 1) x).length = n + 1 := by simp
example : (x :: xs).head? = some x := by simp
example : (xs.map id) = xs := by simp
example : (xs.filter fun _ => true) = xs := by simp
example (b : β) (ys : List β) : b ∈ ys.map id ↔ b ∈ ys := by simp
example : (∀ a ∈ x :: xs, p a) ↔ p x ∧ ∀ a ∈ xs, p a := by simp
example : (∃ a ∈ x :: xs, p a) ↔ p x ∨ ∃ a ∈ xs, p a := by simp
