-- Names of the library: options and Booleans.
variable {α β : Type} (a : α) (x y : Option α) (f : α → β) (b c : Bool)
example : (some a).map f = some (f a) := Option.map_some ..
example : (none : Option α).map f = none := Option.map_none ..
example : x.map id = x := by simp
example (h : some a = x) : x.isSome = true := by simp [← h]
example : x.isNone = true ↔ x = none := Option.isNone_iff_eq_none
example : x ≠ none ↔ ∃ a, x = some a := Option.ne_none_iff_exists'
example : some a = some b' ↔ a = b' := Option.some_inj
example : (some a).getD a = a := Option.getD_some
example : (b && c) = true ↔ b = true ∧ c = true := Bool.and_eq_true_iff
example : ((!b) = true) = (b = false) := Bool.not_eq_true' b
example : (¬b = true) = (b = false) := Bool.not_eq_true b
example : b = true ∨ b = false := Bool.eq_false_or_eq_true b
example : (b || true) = true := Bool.or_true b
example : (b && c) = (c && b) := Bool.and_comm b c
example : (b ^^ b) = false := Bool.xor_self b
example (p : Prop) [Decidable p] : decide p = true ↔ p := decide_eq_true_iff
example (p : Prop) [Decidable p] (h : ¬p) : decide p = false := decide_eq_false h
