inductive Vec (α : Type u) : Nat → Type u
  | nil : Vec α 0
  | cons : α → Vec α n → Vec α (n + 1)
def Vec.map (f : α → β) : Vec α n → Vec β n
  | nil => nil
  | cons a v => cons (f a) (v.map f)
theorem target (f : α → β) (g : β → γ) (v : Vec α n) : (v.map f).map g = v.map (g ∘ f) := by
  induction v with
  | nil => rfl
  | cons a v ih => simp only [Vec.map, ih, Function.comp]
