-- Auto-bound implicits and universe levels.
def first (p : α × β) : α := p.1

theorem first_mk (a : α) (b : β) : first (a, b) = a := rfl

def compose (g : β → γ) (f : α → β) (a : α) : γ := g (f a)

instance [Inhabited α] [Inhabited β] : Inhabited (Except ε (α × β)) := ⟨.ok default⟩

example : first (3, true) = 3 := rfl
