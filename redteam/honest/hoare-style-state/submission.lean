def St (σ α : Type) := σ → α × σ
def St.pure (a : α) : St σ α := fun s => (a, s)
def St.bind (x : St σ α) (f : α → St σ β) : St σ β := fun s => let (a, t) := x s; f a t
theorem target (x : St σ α) (f : α → St σ β) (g : β → St σ γ) :
    (x.bind f).bind g = x.bind fun a => (f a).bind g := rfl
