macro "prove!" n:ident ":" t:term ":=" v:term : command => `(theorem $n:ident : $t := $v)
prove! target : ∀ n : Nat, n + 0 = n := fun _ => rfl
