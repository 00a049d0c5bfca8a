-- Macros: a term, a tactic and macro_rules for own syntax.
macro "twice! " t:term : term => `($t + $t)

example : (twice! 21) = 42 := rfl

macro "crush" : tactic => `(tactic| first | rfl | omega | simp_all)

example (a b : Nat) (h : a < b) : a + 1 ≤ b := by crush
example (p q : Prop) (hp : p) (hq : q) : p ∧ q := by crush

syntax "max3 " term:max term:max term:max : term
macro_rules
  | `(max3 $a $b $c) => `(max $a (max $b $c))

example : max3 3 9 4 = 9 := rfl

syntax "repeat_split" : tactic
macro_rules
  | `(tactic| repeat_split) => `(tactic| repeat' (first | constructor | assumption))

example (p q r : Prop) (hp : p) (hq : q) (hr : r) : p ∧ q ∧ r := by repeat_split
