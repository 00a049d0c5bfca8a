prelude
inductive False : Prop
axiom propext : False
theorem target : False := propext
