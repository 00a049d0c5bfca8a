-- Names of the library: lists.
variable {α β γ : Type} (x y : α) (xs ys zs : List α) (f : α → β) (g : β → γ) (p : α → Bool)
example : xs ++ ys ++ zs = xs ++ (ys ++ zs) := List.append_assoc xs ys zs
example : xs ++ [] = xs := List.append_nil xs
example : (xs ++ ys).length = xs.length + ys.length := List.length_append
example : (xs.map f).length = xs.length := List.length_map f
example : (xs ++ ys).map f = xs.map f ++ ys.map f := List.map_append
example : (xs.map f).map g = xs.map (g ∘ f) := List.map_map
example : xs.reverse.reverse = xs := List.reverse_reverse xs
example : (xs ++ ys).reverse = ys.reverse ++ xs.reverse := List.reverse_append
example : (x :: xs).reverse = xs.reverse ++ [x] := List.reverse_cons
example : xs.reverse.length = xs.length := List.length_reverse
example : (xs.map f).reverse = xs.reverse.map f := List.map_reverse.symm
example : x ∈ xs.reverse ↔ x ∈ xs := List.mem_reverse
example : x ∈ xs ++ ys ↔ x ∈ xs ∨ x ∈ ys := List.mem_append
example : x ∈ y :: xs ↔ x = y ∨ x ∈ xs := List.mem_cons
example : x ∈ xs.filter p ↔ x ∈ xs ∧ p x = true := List.mem_filter
example : (xs ++ ys).filter p = xs.filter p ++ ys.filter p := List.filter_append xs ys
example (n : Nat) : (List.replicate n x).length = n := List.length_replicate
example (n : Nat) : (xs.take n).length = min n xs.length := List.length_take
example (n : Nat) : (xs.drop n).length = xs.length - n := List.length_drop
example (n : Nat) : xs.take n ++ xs.drop n = xs := List.take_append_drop n xs
example : xs.length = 0 ↔ xs = [] := List.length_eq_zero_iff
example : x :: xs ≠ [] := List.cons_ne_nil x xs
example (h : x :: xs = y :: ys) : x = y := List.head_eq_of_cons_eq h
example : xs ++ ys = [] ↔ xs = [] ∧ ys = [] := List.append_eq_nil_iff
