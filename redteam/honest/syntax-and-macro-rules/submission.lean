syntax "all! " term,* : term
macro_rules
  | `(all!) => `(True)
  | `(all! $x) => `($x)
  | `(all! $x, $ys,*) => `($x ∧ all! $ys,*)
theorem target (p q r : Prop) (hp : p) (hq : q) (hr : r) : all! p, q, r := ⟨hp, hq, hr⟩
