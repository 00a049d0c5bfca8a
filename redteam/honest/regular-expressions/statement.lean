inductive Re (α : Type) where
  | eps | char (a : α) | seq (r s : Re α) | alt (r s : Re α) | star (r : Re α)
inductive Re.Matches : Re α → List α → Prop
  | eps : Matches eps []
  | char (a) : Matches (char a) [a]
  | seq : Matches r u → Matches s v → Matches (seq r s) (u ++ v)
  | left : Matches r u → Matches (alt r s) u
  | right : Matches s u → Matches (alt r s) u
  | nil : Matches (star r) []
  | more : Matches r u → Matches (star r) v → Matches (star r) (u ++ v)
open Re in
theorem target (a : α) (n : Nat) : Matches (star (char a)) (List.replicate n a) := by sorry
