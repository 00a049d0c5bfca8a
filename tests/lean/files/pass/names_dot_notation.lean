-- Generalised field notation: methods, chains, anonymous constructors, leading dots.
inductive Color where
  | red | green | blue

namespace Color

def next : Color → Color
  | .red => .green
  | .green => .blue
  | .blue => .red

def isRed (c : Color) : Bool := c matches .red

end Color

example : Color.red.next.next.next = .red := rfl
example : (Color.next .blue).isRed = true := rfl

def palette : List Color := [.red, .green]

example : palette.map (·.next) = [.green, .blue] := rfl
example : (palette.map Color.isRed).length = 2 := rfl

structure Pair where
  a : Nat
  b : Nat

def Pair.total (p : Pair) (scale : Nat := 1) : Nat := (p.a + p.b) * scale

example : (⟨1, 2⟩ : Pair).total = 3 := rfl
example : (Pair.mk 1 2).total (scale := 10) = 30 := rfl
