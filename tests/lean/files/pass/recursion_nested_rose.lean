-- Nested recursion through List, structurally.
inductive Rose where
  | node (label : Nat) (children : List Rose)

namespace Rose

mutual
  def size : Rose → Nat
    | node _ cs => sizes cs + 1
  def sizes : List Rose → Nat
    | [] => 0
    | c :: cs => c.size + sizes cs
end

theorem sizes_append (xs ys : List Rose) : sizes (xs ++ ys) = sizes xs + sizes ys := by
  induction xs with
  | nil => simp [sizes]
  | cons x xs ih => simp [sizes, ih, Nat.add_assoc]

example : size (node 1 [node 2 [], node 3 [node 4 []]]) = 4 := rfl

end Rose
