-- What `simp` knows of conditionals, equations and pairs.
variable (p q : Prop) [Decidable p] [Decidable q] {α β : Type} (a b c : α) (x y : α × β)
example : (if True then a else b) = a := by simp
example (h : p) : (if p then a else b) = a := by simp [h]
example (h : ¬p) : (if p then a else b) = b := by simp [h]
example : (if p then a else a) = a := by simp
example : (if p then True else q) ↔ (¬p → q) := by simp
example : (if p then q else False) ↔ (p ∧ q) := by simp
example (d : β) : ((a, d) : α × β).fst = a := by simp
example : (x.1, x.2) = x := by simp
example (d e : β) : (a, d) = (b, e) ↔ a = b ∧ d = e := by simp
example (h : x.1 = y.1) (h' : x.2 = y.2) : x = y := Prod.ext h h'
example : (fun z : α × β => (z.1, z.2)) = id := by
  funext z
  simp
example (s : { n : Nat // 0 < n }) : 0 < s.val := by simpa using s.property
example (h : a ≠ b) : (a = b) = False := by simp [h]
example : ((∃ z, z = a) : Prop) := by simp
example : (∀ z : α, z = a → z = b) ↔ a = b := by simp
example (f : α → β) (h : ∀ z, f z = f a) : f b = f c := by simp [h b, h c]
