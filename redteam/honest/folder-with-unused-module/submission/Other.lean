theorem other : True := trivial
