theorem Lean.trustCompiler : True := True.intro
theorem target : True := Lean.trustCompiler
