-- A constructor that uses its type to the left of an arrow.
-- expect: error 3:0 contains "(kernel) arg #1 of 'Bad.mk' has a non positive occurrence of the datatypes being declared"
inductive Bad where
  | mk (f : Bad → Nat)
