instance (priority := high) (b : Bool) : CoeT Bool b Prop := ⟨True⟩
instance (priority := high) : CoeSort Bool Type := ⟨fun _ => Unit⟩
theorem target : (false : Prop) := True.intro
