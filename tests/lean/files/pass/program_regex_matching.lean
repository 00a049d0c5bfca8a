-- Regular expressions: a derivative-based matcher accepts what it should.
inductive Regex where
  | empty | eps
  | char (c : Char)
  | alt (a b : Regex)
  | seq (a b : Regex)
  | star (a : Regex)

namespace Regex

def nullable : Regex → Bool
  | empty | char _ => false
  | eps | star _ => true
  | alt a b => a.nullable || b.nullable
  | seq a b => a.nullable && b.nullable

def deriv (c : Char) : Regex → Regex
  | empty | eps => empty
  | char d => if c = d then eps else empty
  | alt a b => alt (a.deriv c) (b.deriv c)
  | seq a b =>
    if a.nullable then alt (seq (a.deriv c) b) (b.deriv c) else seq (a.deriv c) b
  | star a => seq (a.deriv c) (star a)

def accepts (r : Regex) : List Char → Bool
  | [] => r.nullable
  | c :: cs => (r.deriv c).accepts cs

theorem not_accepts_empty (cs : List Char) : empty.accepts cs = false := by
  induction cs with
  | nil => rfl
  | cons c cs ih => exact ih

theorem accepts_alt (a b : Regex) (cs : List Char) :
    (alt a b).accepts cs = (a.accepts cs || b.accepts cs) := by
  induction cs generalizing a b with
  | nil => rfl
  | cons c cs ih => exact ih _ _

example : (star (seq (char 'a') (char 'b'))).accepts ['a', 'b', 'a', 'b'] = true := by decide
example : (star (seq (char 'a') (char 'b'))).accepts ['a', 'b', 'a'] = false := by decide

end Regex
