-- Structures that extend structures, with defaults, updates and parent projections.
structure Point where
  x : Int := 0
  y : Int := 0
  deriving DecidableEq, Repr

structure Colored where
  color : String := "black"

structure Pixel extends Point, Colored where
  bright : Bool := true

def p : Pixel := { x := 3, color := "red" }

example : p.y = 0 := rfl
example : p.toPoint = { x := 3 } := rfl
example : p.color = "red" := rfl

def moveRight (q : Pixel) (d : Int) : Pixel := { q with x := q.x + d }

theorem moveRight_color (q : Pixel) (d : Int) : (moveRight q d).color = q.color := rfl

theorem moveRight_add (q : Pixel) (a b : Int) : moveRight (moveRight q a) b = moveRight q (a + b) := by
  simp only [moveRight, Int.add_assoc]
