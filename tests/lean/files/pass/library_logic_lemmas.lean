-- Names of the library: propositional and first-order logic.
variable (p q r : Prop) {α : Type} (f g : α → Prop) (a : α)
example : p ∧ q ↔ q ∧ p := and_comm
example : p ∨ q ↔ q ∨ p := or_comm
example : (p ∧ q) ∧ r ↔ p ∧ q ∧ r := and_assoc
example : p ∧ q ∧ r ↔ q ∧ p ∧ r := and_left_comm
example : p ∧ (q ∨ r) ↔ p ∧ q ∨ p ∧ r := and_or_left
example : (p ∨ q) ∧ r ↔ p ∧ r ∨ q ∧ r := or_and_right
example : ¬(p ∨ q) ↔ ¬p ∧ ¬q := not_or
example : ¬(p ∧ q) ↔ (p → ¬q) := not_and
example : ¬¬p ↔ p := Classical.not_not
example : (¬∃ x, f x) ↔ ∀ x, ¬f x := not_exists
example : (¬∀ x, f x) ↔ ∃ x, ¬f x := Classical.not_forall
example : (∀ x, f x ∧ g x) ↔ (∀ x, f x) ∧ ∀ x, g x := forall_and
example : (∃ x, f x ∨ g x) ↔ (∃ x, f x) ∨ ∃ x, g x := exists_or
example : (∃ x, x = a ∧ f x) ↔ f a := exists_eq_left
example : (∃ x, p ∧ f x) ↔ p ∧ ∃ x, f x := exists_and_left
example : (∀ x, x = a → f x) ↔ f a := forall_eq
example (h : p → q) : ¬q → ¬p := mt h
example : (p → q → r) ↔ (p ∧ q → r) := and_imp.symm
example (h : ¬p) : p ↔ False := iff_false_intro h
example (h : p) : p ↔ True := iff_true_intro h
example (h : p ∨ q) (hp : p → r) (hq : q → r) : r := h.elim hp hq
example (h : p ↔ q) : (p ∧ r) ↔ (q ∧ r) := and_congr_left' h
example (h : a ≠ a) : False := h rfl
example : (a = a) = True := eq_self a
