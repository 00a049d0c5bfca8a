-- `show`, `suffices`, `have`, `let`, `from`, anonymous `this`.
example (n : Nat) : n + 0 = n := by
  show n = n
  rfl

example (a : Nat) : ∃ c, a < c := by
  suffices h' : a < a + 1 from ⟨a + 1, h'⟩
  omega

example (p q r : Prop) (hp : p) (hpq : p → q) (hqr : q → r) : r := by
  have hq := hpq hp
  have : r := hqr hq
  exact this

example (p q : Prop) (hpq : p → q) (hp : p) : q := by
  suffices hp' : p by
    exact hpq hp'
  assumption

example (x : Nat) (h : 5 < x) : ∃ y z, y + z = x := by
  let k := x - 2
  exact ⟨k, 2, show x - 2 + 2 = x by omega⟩

theorem nested (a b c : Nat) (h : a = b) (h' : b = c) : c = a :=
  have e : a = c := h.trans h'
  show c = a from e.symm
