theorem target (α : Type) (a b : α) (h : HEq a b) : a = b := eq_of_heq h
