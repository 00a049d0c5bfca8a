theorem target₁ : True := True.intro
