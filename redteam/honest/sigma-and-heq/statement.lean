theorem target {β : α → Type} {a a' : α} {b : β a} {b' : β a'} (h : a = a') (k : HEq b b') :
    (⟨a, b⟩ : Sigma β) = ⟨a', b'⟩ := by sorry
