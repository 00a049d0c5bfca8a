-- Named, default, optional, implicit, strict-implicit and instance arguments; `@` and `_`.
-- expect: information 22:0 is "[\"1\", \"2\"]"
def scale (x : Nat) (by_ : Nat := 2) {plus : Nat} (h : plus = 1 := by rfl) : Nat :=
  have : plus = 1 := h
  x * by_ + plus

example : scale 5 = 11 := rfl
example : scale 5 (by_ := 3) = 16 := rfl

def pick {α : Type} (first : α) (_second : α) : α := first

example : pick (_second := 3) 4 = 4 := rfl
example : @pick Nat 1 2 = 1 := rfl
example : (pick · 2) 1 = 1 := rfl

def const {α β : Type} (a : α) : β → α := fun _ => a
example : const (β := Bool) 3 true = 3 := rfl

theorem strict {p : Nat → Prop} (h : ∀ ⦃n⦄, p n → p (n + 1)) (h0 : p 0) : p 1 := h h0

def showAll [ToString α] (xs : List α) : List String := xs.map toString
#eval showAll [1, 2]
