set_option pp.all true
set_option pp.funBinderTypes true
theorem target (p : Prop) (h : p) : p := by sorry
