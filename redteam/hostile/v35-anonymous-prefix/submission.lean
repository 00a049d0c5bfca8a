theorem «».target : True := True.intro
