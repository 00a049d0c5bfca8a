-- Only propositions and definitions can be simp lemmas.
-- expect: error 11:11 contains "Cannot add `simp` attribute to `Color`: It is not a proposition nor a definition (to unfold)"
inductive Color where
  | red | green

def value : Color → Nat
  | .red => 1
  | .green => 2

attribute [simp] value
attribute [simp] Color
