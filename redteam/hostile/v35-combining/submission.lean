theorem «thé» : True := True.intro
