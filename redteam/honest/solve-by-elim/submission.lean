theorem target (p q r s : Prop) (a : p → q) (b : q → r) (c : r → s) (h : p) : s := by solve_by_elim
