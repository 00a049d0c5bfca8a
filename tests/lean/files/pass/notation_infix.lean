-- Infix, prefix and postfix notation with precedences.
structure Poly where
  coeffs : List Int

def compose (f g : Nat → Nat) : Nat → Nat := fun x => f (g x)
def factorial : Nat → Nat
  | 0 => 1
  | n + 1 => (n + 1) * factorial n
def square (n : Nat) : Nat := n * n

infixr:90 " ⊚ " => compose
postfix:max "‼" => factorial
prefix:max "□" => square
infix:50 " ≺ " => fun a b : Nat => a + 1 < b

example : 5‼ = 120 := rfl
example : □3 + 1 = 10 := rfl
example : (square ⊚ Nat.succ ⊚ factorial) 3 = 49 := rfl
example : 3 ≺ 5 := by decide
example (f g h : Nat → Nat) : f ⊚ g ⊚ h = f ⊚ (g ⊚ h) := rfl
