-- `simpa` simplifies both sides before closing the goal.
example (a b : Nat) (h : a + 0 = b) : a = 0 + b := by simpa using h

example (p : Nat → Prop) (h : p (2 + 0)) : p 2 := by simpa using h

def g (n : Nat) : Nat := n

example (n : Nat) (h : g n = 3) : n = 3 := by simpa [g] using h

example (p q : Prop) (h : p ∧ q ∧ True) : p ∧ q := by simpa using h

example (p : Prop) (this : p) : p ∨ False := by simpa
