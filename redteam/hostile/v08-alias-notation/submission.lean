theorem other : True := True.intro
notation "target" => other
example : True := target
