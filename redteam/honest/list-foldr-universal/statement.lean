theorem target (f : α → β → β) (e : β) (h : List α → β) (hnil : h [] = e) (hcons : ∀ x xs, h (x :: xs) = f x (h xs))
    (xs : List α) : h xs = xs.foldr f e := by sorry
