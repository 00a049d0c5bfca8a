@[app_unexpander Eq] def lie : Lean.PrettyPrinter.Unexpander
  | _ => `(1 = 2)
theorem target : 1 = 1 := rfl
#print target
