set_option pp.all true
set_option pp.funBinderTypes true
theorem target (p : Prop) (h : p) : p := by
  set_option pp.explicit true in
  exact h
