structure Config where
  width : Nat
  height : Nat
  depth : Nat := 1
def Config.rotate (c : Config) : Config := { c with width := c.height, height := c.width }
theorem target (c : Config) : c.rotate.rotate = c := rfl
