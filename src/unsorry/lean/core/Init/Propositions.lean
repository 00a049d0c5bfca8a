prelude
import Init.SimpSet
/-! More propositional and Boolean identities under the names that users expect. -/
set_option linter.all false
open Lean.Native
universe u v w
section
variable {a b c d p q r : Prop} {α : Sort u} {β : Sort v}
theorem and_self_iff : a ∧ a ↔ a := Iff.of_eq (and_self a)
theorem or_self_iff : a ∨ a ↔ a := Iff.of_eq (or_self a)
theorem and_right_comm : (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b := ⟨fun ⟨⟨x, y⟩, z⟩ => ⟨⟨x, z⟩, y⟩, fun ⟨⟨x, z⟩, y⟩ => ⟨⟨x, y⟩, z⟩⟩
theorem or_left_comm : a ∨ b ∨ c ↔ b ∨ a ∨ c := ⟨fun | .inl x => .inr (.inl x) | .inr (.inl x) => .inl x | .inr (.inr x) => .inr (.inr x),
  fun | .inl x => .inr (.inl x) | .inr (.inl x) => .inl x | .inr (.inr x) => .inr (.inr x)⟩
theorem or_right_comm : (a ∨ b) ∨ c ↔ (a ∨ c) ∨ b := by rw [or_assoc, or_assoc, or_comm (a := b)]
theorem and_rotate : a ∧ b ∧ c ↔ b ∧ c ∧ a := ⟨fun ⟨x, y, z⟩ => ⟨y, z, x⟩, fun ⟨y, z, x⟩ => ⟨x, y, z⟩⟩
theorem or_rotate : a ∨ b ∨ c ↔ b ∨ c ∨ a := by rw [or_left_comm, or_comm (a := a)]
theorem and_and_and_comm : (a ∧ b) ∧ c ∧ d ↔ (a ∧ c) ∧ b ∧ d := ⟨fun ⟨⟨x, y⟩, z, t⟩ => ⟨⟨x, z⟩, y, t⟩, fun ⟨⟨x, z⟩, y, t⟩ => ⟨⟨x, y⟩, z, t⟩⟩
theorem and_and_left : a ∧ (b ∧ c) ↔ (a ∧ b) ∧ a ∧ c := ⟨fun ⟨x, y, z⟩ => ⟨⟨x, y⟩, x, z⟩, fun ⟨⟨x, y⟩, _, z⟩ => ⟨x, y, z⟩⟩
theorem and_and_right : (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b ∧ c := ⟨fun ⟨⟨x, y⟩, z⟩ => ⟨⟨x, z⟩, y, z⟩, fun ⟨⟨x, z⟩, y, _⟩ => ⟨⟨x, y⟩, z⟩⟩
theorem or_or_distrib_left : a ∨ b ∨ c ↔ (a ∨ b) ∨ a ∨ c :=
  ⟨fun h => h.elim (fun x => .inl (.inl x)) (fun h => h.imp .inr .inr), fun h => h.elim (fun h => h.imp id .inl) (fun h => h.imp id .inr)⟩
theorem or_or_distrib_right : (a ∨ b) ∨ c ↔ (a ∨ c) ∨ b ∨ c :=
  ⟨fun h => h.elim (fun h => h.imp .inl .inl) (fun x => .inl (.inr x)), fun h => h.elim (fun h => h.imp .inl id) (fun h => h.imp .inr id)⟩
theorem or_or_or_comm : (a ∨ b) ∨ c ∨ d ↔ (a ∨ c) ∨ b ∨ d := by rw [or_assoc, or_left_comm (a := b), ← or_assoc]
theorem or_and_right : (a ∨ b) ∧ c ↔ (a ∧ c) ∨ (b ∧ c) := ⟨fun ⟨h, z⟩ => h.imp (⟨·, z⟩) (⟨·, z⟩), fun h => h.elim (fun ⟨x, z⟩ => ⟨.inl x, z⟩) (fun ⟨y, z⟩ => ⟨.inr y, z⟩)⟩
theorem and_or_right : (a ∧ b) ∨ c ↔ (a ∨ c) ∧ (b ∨ c) := ⟨fun h => h.elim (fun ⟨x, y⟩ => ⟨.inl x, .inl y⟩) (fun z => ⟨.inr z, .inr z⟩),
  fun ⟨h, h'⟩ => h.elim (fun x => h'.imp (⟨x, ·⟩) id) .inr⟩
@[simp] theorem and_self_left : a ∧ a ∧ b ↔ a ∧ b := ⟨And.right, fun h => ⟨h.1, h⟩⟩
@[simp] theorem and_self_right : (a ∧ b) ∧ b ↔ a ∧ b := ⟨And.left, fun h => ⟨h, h.2⟩⟩
@[simp] theorem or_self_left : a ∨ a ∨ b ↔ a ∨ b := ⟨fun h => h.elim .inl id, .inr⟩
@[simp] theorem or_self_right : (a ∨ b) ∨ b ↔ a ∨ b := ⟨fun h => h.elim id .inr, .inl⟩
theorem and_true_iff : a ∧ True ↔ a := ⟨And.left, (⟨·, trivial⟩)⟩
theorem true_and_iff : True ∧ a ↔ a := ⟨And.right, (⟨trivial, ·⟩)⟩
theorem and_false_iff : a ∧ False ↔ False := ⟨And.right, False.elim⟩
theorem false_and_iff : False ∧ a ↔ False := ⟨And.left, False.elim⟩
theorem or_true_iff : a ∨ True ↔ True := ⟨fun _ => trivial, .inr⟩
theorem true_or_iff : True ∨ a ↔ True := ⟨fun _ => trivial, .inl⟩
theorem or_false_iff : a ∨ False ↔ a := ⟨fun h => h.elim id False.elim, .inl⟩
theorem false_or_iff : False ∨ a ↔ a := ⟨fun h => h.elim False.elim id, .inr⟩
theorem and_iff_left (h : b) : a ∧ b ↔ a := ⟨And.left, (⟨·, h⟩)⟩
theorem and_iff_right (h : a) : a ∧ b ↔ b := ⟨And.right, (⟨h, ·⟩)⟩
theorem and_iff_left_of_imp (h : a → b) : a ∧ b ↔ a := ⟨And.left, fun x => ⟨x, h x⟩⟩
theorem and_iff_right_of_imp (h : b → a) : a ∧ b ↔ b := ⟨And.right, fun y => ⟨h y, y⟩⟩
theorem or_iff_left (h : ¬b) : a ∨ b ↔ a := ⟨fun x => x.resolve_right h, .inl⟩
theorem or_iff_right (h : ¬a) : a ∨ b ↔ b := ⟨fun x => x.resolve_left h, .inr⟩
theorem or_iff_left_of_imp (h : b → a) : a ∨ b ↔ a := ⟨fun x => x.elim id h, .inl⟩
theorem or_iff_right_of_imp (h : a → b) : a ∨ b ↔ b := ⟨fun x => x.elim h id, .inr⟩
@[simp] theorem and_iff_left_iff_imp : (a ∧ b ↔ a) ↔ (a → b) := ⟨fun h x => (h.2 x).2, and_iff_left_of_imp⟩
@[simp] theorem and_iff_right_iff_imp : (a ∧ b ↔ b) ↔ (b → a) := ⟨fun h y => (h.2 y).1, and_iff_right_of_imp⟩
@[simp] theorem or_iff_left_iff_imp : (a ∨ b ↔ a) ↔ (b → a) := ⟨fun h y => h.1 (.inr y), or_iff_left_of_imp⟩
@[simp] theorem or_iff_right_iff_imp : (a ∨ b ↔ b) ↔ (a → b) := ⟨fun h x => h.1 (.inl x), or_iff_right_of_imp⟩
@[simp] theorem iff_self_and : (p ↔ p ∧ q) ↔ (p → q) := ⟨fun h x => (h.1 x).2, fun h => ⟨fun x => ⟨x, h x⟩, And.left⟩⟩
@[simp] theorem iff_and_self : (p ↔ q ∧ p) ↔ (p → q) := ⟨fun h x => (h.1 x).1, fun h => ⟨fun x => ⟨h x, x⟩, And.right⟩⟩
@[simp] theorem iff_self_or : (a ↔ a ∨ b) ↔ (b → a) := ⟨fun h y => h.2 (.inr y), fun h => ⟨.inl, fun x => x.elim id h⟩⟩
@[simp] theorem iff_or_self : (b ↔ a ∨ b) ↔ (a → b) := ⟨fun h x => h.2 (.inl x), fun h => ⟨.inr, fun x => x.elim h id⟩⟩
theorem and_congr_left_iff : (a ∧ c ↔ b ∧ c) ↔ (c → (a ↔ b)) := ⟨fun h z => ⟨fun x => (h.1 ⟨x, z⟩).1, fun y => (h.2 ⟨y, z⟩).1⟩, fun h => ⟨fun ⟨x, z⟩ => ⟨(h z).1 x, z⟩, fun ⟨y, z⟩ => ⟨(h z).2 y, z⟩⟩⟩
theorem and_congr_right_iff : (a ∧ b ↔ a ∧ c) ↔ (a → (b ↔ c)) := ⟨fun h x => ⟨fun y => (h.1 ⟨x, y⟩).2, fun z => (h.2 ⟨x, z⟩).2⟩, and_congr_right⟩
attribute [simp] and_congr_left_iff and_congr_right_iff
theorem and_congr_left (h : c → (a ↔ b)) : a ∧ c ↔ b ∧ c := and_congr_left_iff.2 h
theorem and_congr_left' (h : a ↔ b) : a ∧ c ↔ b ∧ c := and_congr h Iff.rfl
theorem and_congr_right' (h : b ↔ c) : a ∧ b ↔ a ∧ c := and_congr Iff.rfl h
theorem or_congr_left (h : a ↔ b) : a ∨ c ↔ b ∨ c := or_congr h Iff.rfl
theorem or_congr_right (h : b ↔ c) : a ∨ b ↔ a ∨ c := or_congr Iff.rfl h
theorem iff_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : (a ↔ b) ↔ (c ↔ d) := ⟨fun h => h₁.symm.trans (h.trans h₂), fun h => h₁.trans (h.trans h₂.symm)⟩
theorem imp_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : (a → b) ↔ (c → d) := ⟨fun h x => h₂.1 (h (h₁.2 x)), fun h x => h₂.2 (h (h₁.1 x))⟩
theorem imp_congr_left (h : a ↔ b) : (a → c) ↔ (b → c) := imp_congr h Iff.rfl
theorem imp_congr_right (h : a → (b ↔ c)) : (a → b) ↔ (a → c) := ⟨fun f x => (h x).1 (f x), fun f x => (h x).2 (f x)⟩
theorem imp_iff_right (h : a) : (a → b) ↔ b := ⟨fun f => f h, fun y _ => y⟩
theorem imp_true_iff : (a → True) ↔ True := ⟨fun _ => trivial, fun _ _ => trivial⟩
theorem false_imp_iff : (False → a) ↔ True := ⟨fun _ => trivial, fun _ => False.elim⟩
theorem true_imp_iff : (True → a) ↔ a := ⟨fun h => h trivial, fun h _ => h⟩
theorem imp_intro (h : a) : b → a := fun _ => h
theorem imp_imp_imp (h₀ : c → a) (h₁ : b → d) : (a → b) → (c → d) := fun f x => h₁ (f (h₀ x))
theorem imp_and : (a → b ∧ c) ↔ (a → b) ∧ (a → c) := ⟨fun h => ⟨fun x => (h x).1, fun x => (h x).2⟩, fun h x => ⟨h.1 x, h.2 x⟩⟩
theorem or_imp : (a ∨ b → c) ↔ (a → c) ∧ (b → c) := ⟨fun h => ⟨fun x => h (.inl x), fun y => h (.inr y)⟩, fun h x => x.elim h.1 h.2⟩
theorem imp_not_comm : (a → ¬b) ↔ (b → ¬a) := ⟨fun h y x => h x y, fun h x y => h y x⟩
theorem imp_not_self : (a → ¬a) ↔ ¬a := ⟨fun h x => h x x, fun h _ => h⟩
theorem not_imp_of_and_not : a ∧ ¬b → ¬(a → b) | ⟨x, ny⟩, h => ny (h x)
theorem not_and_of_not_left (b : Prop) (h : ¬a) : ¬(a ∧ b) := fun x => h x.1
theorem not_and_of_not_right (a : Prop) {b : Prop} (h : ¬b) : ¬(a ∧ b) := fun x => h x.2
theorem not_and_of_not_or_not (h : ¬a ∨ ¬b) : ¬(a ∧ b) := fun ⟨x, y⟩ => h.elim (· x) (· y)
theorem not_or_intro (ha : ¬a) (hb : ¬b) : ¬(a ∨ b) := fun h => h.elim ha hb
theorem not_and' : ¬(a ∧ b) ↔ b → ¬a := ⟨fun h y x => h ⟨x, y⟩, fun h ⟨x, y⟩ => h y x⟩
theorem not_iff_false_intro (h : a) : ¬a ↔ False := ⟨(· h), False.elim⟩
theorem iff_false_intro (h : ¬a) : a ↔ False := iff_of_false h id
theorem iff_true_intro (h : a) : a ↔ True := iff_of_true h trivial
theorem iff_iff_implies_and_implies {a b : Prop} : (a ↔ b) ↔ (a → b) ∧ (b → a) := ⟨fun h => ⟨h.1, h.2⟩, fun h => ⟨h.1, h.2⟩⟩
theorem not_not_em (a : Prop) : ¬¬(a ∨ ¬a) := fun h => h (.inr fun x => h (.inl x))
theorem not_not_not : ¬¬¬a ↔ ¬a := ⟨fun h x => h (not_not_intro x), not_not_intro⟩
theorem not_iff_self : ¬(¬a ↔ a) := fun h => have na : ¬a := fun x => h.2 x x; na (h.1 na)
@[simp] theorem iff_not_self : ¬(a ↔ ¬a) := fun h => not_iff_self h.symm
attribute [simp] not_iff_self
theorem iff_of_not (ha : ¬a) (hb : ¬b) : a ↔ b := iff_of_false ha hb
theorem And.left_comm : a ∧ b ∧ c ↔ b ∧ a ∧ c := and_left_comm
theorem And.imp_left (h : a → b) : a ∧ c → b ∧ c := And.imp h id
theorem And.imp_right (h : a → b) : c ∧ a → c ∧ b := And.imp id h
theorem Or.imp_left (h : a → b) : a ∨ c → b ∨ c := Or.imp h id
theorem Or.imp_right (h : b → c) : a ∨ b → a ∨ c := Or.imp id h
theorem Or.neg_resolve_left (h : ¬a ∨ b) (ha : a) : b := h.elim (absurd ha) id
theorem Or.neg_resolve_right (h : a ∨ ¬b) (nb : b) : a := h.elim id (absurd nb)
theorem Ne.intro {a b : α} (h : a = b → False) : a ≠ b := h
theorem false_of_ne {a : α} (h : a ≠ a) : False := h rfl
theorem ne_false_of_self (h : p) : p ≠ False := fun e => e ▸ h
theorem ne_true_of_not (h : ¬p) : p ≠ True := fun e => h (e ▸ trivial)
theorem true_ne_false : ¬True = False := ne_false_of_self trivial
theorem false_ne_true : False ≠ True := fun h => h.symm ▸ trivial
theorem ne_comm {a b : α} : a ≠ b ↔ b ≠ a := ⟨Ne.symm, Ne.symm⟩
theorem Iff.comm : (a ↔ b) ↔ (b ↔ a) := iff_comm
theorem And.comm : a ∧ b ↔ b ∧ a := and_comm
theorem Or.comm : a ∨ b ↔ b ∨ a := or_comm
theorem eq_self_iff_true (a : α) : a = a ↔ True := iff_of_true rfl trivial
theorem heq_self_iff_true (a : α) : HEq a a ↔ True := iff_of_true HEq.rfl trivial
theorem heq_of_eqRec_eq {α β : Sort u} {a : α} {b : β} (h₁ : α = β) (h₂ : h₁ ▸ a = b) : HEq a b := by subst h₁; exact heq_of_eq h₂
theorem not_of_eq_false (h : p = False) : ¬p := of_eq_false h
theorem not_of_iff_false (h : a ↔ False) : ¬a := h.1
theorem congr_heq {α β γ : Sort u} {f : α → γ} {g : β → γ} {x : α} {y : β} (h₁ : HEq f g) (h₂ : HEq x y) : f x = g y := by
  cases h₂; cases h₁; rfl

/-! quantifiers -/
theorem forall_imp {p q : α → Prop} (h : ∀ a, p a → q a) : (∀ a, p a) → ∀ a, q a := fun f a => h a (f a)
theorem Exists.imp' {p : α → Prop} {q : β → Prop} (f : α → β) (h : ∀ a, p a → q (f a)) : (∃ a, p a) → ∃ b, q b | ⟨a, x⟩ => ⟨f a, h a x⟩
theorem exists_imp {p : α → Prop} {b : Prop} : ((∃ x, p x) → b) ↔ ∀ x, p x → b := ⟨fun h x hx => h ⟨x, hx⟩, fun h ⟨x, hx⟩ => h x hx⟩
theorem forall_and {p q : α → Prop} : (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ ∀ x, q x := ⟨fun h => ⟨fun x => (h x).1, fun x => (h x).2⟩, fun h x => ⟨h.1 x, h.2 x⟩⟩
theorem exists_or {p q : α → Prop} : (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ ∃ x, q x :=
  ⟨fun ⟨x, h⟩ => h.imp (⟨x, ·⟩) (⟨x, ·⟩), fun h => h.elim (fun ⟨x, hx⟩ => ⟨x, .inl hx⟩) (fun ⟨x, hx⟩ => ⟨x, .inr hx⟩)⟩
@[simp] theorem exists_and_left {p : α → Prop} {b : Prop} : (∃ x, b ∧ p x) ↔ b ∧ ∃ x, p x := ⟨fun ⟨x, y, h⟩ => ⟨y, x, h⟩, fun ⟨y, x, h⟩ => ⟨x, y, h⟩⟩
@[simp] theorem exists_and_right {p : α → Prop} {b : Prop} : (∃ x, p x ∧ b) ↔ (∃ x, p x) ∧ b := ⟨fun ⟨x, h, y⟩ => ⟨⟨x, h⟩, y⟩, fun ⟨⟨x, h⟩, y⟩ => ⟨x, h, y⟩⟩
@[simp] theorem exists_eq_left' {p : α → Prop} {a' : α} : (∃ a, a' = a ∧ p a) ↔ p a' := ⟨fun ⟨_, e, h⟩ => e ▸ h, fun h => ⟨a', rfl, h⟩⟩
@[simp] theorem exists_eq_right' {p : α → Prop} {a' : α} : (∃ a, p a ∧ a' = a) ↔ p a' := ⟨fun ⟨_, h, e⟩ => e ▸ h, fun h => ⟨a', h, rfl⟩⟩
@[simp] theorem exists_eq_right_right {p : α → Prop} {a' : α} {b : Prop} : (∃ a, p a ∧ b ∧ a = a') ↔ p a' ∧ b := ⟨fun ⟨_, h, y, e⟩ => e ▸ ⟨h, y⟩, fun ⟨h, y⟩ => ⟨a', h, y, rfl⟩⟩
@[simp] theorem exists_eq_right_right' {p : α → Prop} {a' : α} {b : Prop} : (∃ a, p a ∧ b ∧ a' = a) ↔ p a' ∧ b := ⟨fun ⟨_, h, y, e⟩ => e ▸ ⟨h, y⟩, fun ⟨h, y⟩ => ⟨a', h, y, rfl⟩⟩
@[simp] theorem exists_or_eq_left (y : α) (p : α → Prop) : ∃ x, x = y ∨ p x := ⟨y, .inl rfl⟩
@[simp] theorem exists_or_eq_right (y : α) (p : α → Prop) : ∃ x, p x ∨ x = y := ⟨y, .inr rfl⟩
@[simp] theorem exists_or_eq_left' (y : α) (p : α → Prop) : ∃ x, y = x ∨ p x := ⟨y, .inl rfl⟩
@[simp] theorem exists_or_eq_right' (y : α) (p : α → Prop) : ∃ x, p x ∨ y = x := ⟨y, .inr rfl⟩
@[simp] theorem forall_eq_or_imp {p q : α → Prop} {a' : α} : (∀ a, a = a' ∨ q a → p a) ↔ p a' ∧ ∀ a, q a → p a :=
  ⟨fun h => ⟨h a' (.inl rfl), fun a x => h a (.inr x)⟩, fun h a x => x.elim (fun e => e ▸ h.1) (h.2 a)⟩
@[simp] theorem exists_eq_or_imp {p q : α → Prop} {a' : α} : (∃ a, (a = a' ∨ q a) ∧ p a) ↔ p a' ∨ ∃ a, q a ∧ p a :=
  ⟨fun ⟨a, h, x⟩ => h.elim (fun e => .inl (e ▸ x)) (fun y => .inr ⟨a, y, x⟩), fun h => h.elim (fun x => ⟨a', .inl rfl, x⟩) (fun ⟨a, y, x⟩ => ⟨a, .inr y, x⟩)⟩
@[simp] theorem forall_eq_apply_imp_iff {f : α → β} {p : β → Prop} : (∀ b a, b = f a → p b) ↔ ∀ a, p (f a) := ⟨fun h a => h _ a rfl, fun h _ a e => e ▸ h a⟩
@[simp] theorem forall_apply_eq_imp_iff {f : α → β} {p : β → Prop} : (∀ b a, f a = b → p b) ↔ ∀ a, p (f a) := ⟨fun h a => h _ a rfl, fun h _ a e => e ▸ h a⟩
theorem forall_comm {p : α → β → Prop} : (∀ a b, p a b) ↔ ∀ b a, p a b := ⟨fun h b a => h a b, fun h a b => h b a⟩
theorem exists_comm {p : α → β → Prop} : (∃ a b, p a b) ↔ ∃ b a, p a b := ⟨fun ⟨a, b, h⟩ => ⟨b, a, h⟩, fun ⟨b, a, h⟩ => ⟨a, b, h⟩⟩
theorem forall_prop_of_true {p : Prop} {q : p → Prop} (h : p) : (∀ h', q h') ↔ q h := ⟨fun f => f h, fun x _ => x⟩
theorem forall_prop_of_false {p : Prop} {q : p → Prop} (hn : ¬p) : (∀ h', q h') ↔ True := iff_of_true (fun h => absurd h hn) trivial
theorem exists_prop_of_true {p : Prop} {q : p → Prop} (h : p) : (∃ h', q h') ↔ q h := ⟨fun ⟨_, x⟩ => x, fun x => ⟨h, x⟩⟩
theorem exists_prop_of_false {p : Prop} {q : p → Prop} (hn : ¬p) : ¬∃ h', q h' := fun ⟨h, _⟩ => hn h
theorem not_forall_of_exists_not {p : α → Prop} : (∃ x, ¬p x) → ¬∀ x, p x | ⟨x, hn⟩, h => hn (h x)
@[simp] theorem exists_prop' {p : Prop} : (∃ _ : α, p) ↔ Nonempty α ∧ p := ⟨fun ⟨x, h⟩ => ⟨⟨x⟩, h⟩, fun ⟨⟨x⟩, h⟩ => ⟨x, h⟩⟩
theorem nonempty_prop {p : Prop} : Nonempty p ↔ p := ⟨fun ⟨h⟩ => h, fun h => ⟨h⟩⟩
attribute [simp] nonempty_prop
theorem Decidable.not_forall {p : α → Prop} [Decidable (∃ x, ¬p x)] [∀ x, Decidable (p x)] : (¬∀ x, p x) ↔ ∃ x, ¬p x :=
  ⟨fun h => Decidable.byContradiction fun hn => h fun x => Decidable.byContradiction fun hx => hn ⟨x, hx⟩, not_forall_of_exists_not⟩
@[simp] theorem Classical.not_exists_not {p : α → Prop} : (¬∃ x, ¬p x) ↔ ∀ x, p x := ⟨fun h x => byContradiction fun hx => h ⟨x, hx⟩, fun h ⟨x, hx⟩ => hx (h x)⟩
theorem Classical.exists_not_of_not_forall {p : α → Prop} (h : ¬∀ x, p x) : ∃ x, ¬p x := not_forall.1 h
attribute [simp] Classical.not_forall Classical.not_imp
theorem Classical.or_iff_not_imp_right {a b : Prop} : a ∨ b ↔ (¬b → a) := or_comm.trans or_iff_not_imp_left
theorem Classical.imp_iff_left_iff {a b : Prop} : (a → b ↔ b) ↔ a ∨ b := ⟨fun h => (em a).imp id fun hn => h.1 fun x => absurd x hn,
  fun h => ⟨fun f => h.elim f id, fun y _ => y⟩⟩
theorem Classical.imp_or {a b c : Prop} : (a → b ∨ c) ↔ (a → b) ∨ (a → c) :=
  ⟨fun h => (em a).elim (fun x => (h x).imp (fun y _ => y) (fun z _ => z)) (fun nx => .inl fun x => absurd x nx), fun h x => h.imp (· x) (· x)⟩
theorem Classical.iff_iff_and_or_not_and_not {a b : Prop} : (a ↔ b) ↔ a ∧ b ∨ ¬a ∧ ¬b :=
  ⟨fun h => (em a).imp (fun x => ⟨x, h.1 x⟩) (fun nx => ⟨nx, fun y => nx (h.2 y)⟩), fun h => h.elim (fun ⟨x, y⟩ => iff_of_true x y) (fun ⟨x, y⟩ => iff_of_false x y)⟩
theorem Classical.not_iff {a b : Prop} : ¬(a ↔ b) ↔ (¬a ↔ b) :=
  ⟨fun h => ⟨fun na => byContradiction fun nb => h (iff_of_false na nb), fun y x => h (iff_of_true x y)⟩,
   fun h h' => (em a).elim (fun x => h.2 (h'.1 x) x) (fun nx => nx (h'.2 (h.1 nx)))⟩
theorem Classical.skolem {α : Sort u} {β : α → Sort v} {p : (x : α) → β x → Prop} : (∀ x, ∃ y, p x y) ↔ ∃ f : (x : α) → β x, ∀ x, p x (f x) :=
  ⟨fun h => ⟨fun x => choose (h x), fun x => choose_spec (h x)⟩, fun ⟨f, hf⟩ x => ⟨f x, hf x⟩⟩
theorem Classical.axiomOfChoice {α : Sort u} {β : α → Sort v} {r : (x : α) → β x → Prop} (h : ∀ x, ∃ y, r x y) : ∃ f : (x : α) → β x, ∀ x, r x (f x) := skolem.1 h
theorem Classical.propComplete (a : Prop) : a = True ∨ a = False := (em a).imp eq_true eq_false
@[reducible] noncomputable def Classical.inhabited_of_nonempty {α : Sort u} (h : Nonempty α) : Inhabited α := ⟨choice h⟩
noncomputable def Classical.epsilon {α : Sort u} [h : Nonempty α] (p : α → Prop) : α :=
  if hp : ∃ x, p x then choose hp else choice h
theorem Classical.epsilon_spec {α : Sort u} {p : α → Prop} (hex : ∃ y, p y) : p (@epsilon α (hex.elim fun y _ => ⟨y⟩) p) := by
  unfold epsilon; rw [dif_pos hex]; exact choose_spec hex
namespace Decidable
theorem not_not [dec : Decidable p] : ¬¬p ↔ p := ⟨of_not_not, not_not_intro⟩
theorem not_imp_not [Decidable a] : (¬a → ¬b) ↔ (b → a) := ⟨fun h y => byContradiction fun nx => h nx y, mt⟩
theorem not_imp_symm [Decidable a] (h : ¬a → b) (hb : ¬b) : a := byContradiction fun nx => hb (h nx)
theorem not_imp_comm [Decidable a] [Decidable b] : (¬a → b) ↔ (¬b → a) := ⟨not_imp_symm, not_imp_symm⟩
theorem not_and_iff_not_or_not [Decidable a] : ¬(a ∧ b) ↔ ¬a ∨ ¬b :=
  ⟨fun h => (em a).elim (fun x => .inr fun y => h ⟨x, y⟩) .inl, not_and_of_not_or_not⟩
theorem or_iff_not_imp_left [Decidable a] : a ∨ b ↔ (¬a → b) := ⟨fun h hn => h.resolve_left hn, fun h => (em a).imp id h⟩
theorem or_iff_not_imp_right [Decidable b] : a ∨ b ↔ (¬b → a) := or_comm.trans or_iff_not_imp_left
theorem or_iff_not_not_and_not [Decidable a] [Decidable b] : a ∨ b ↔ ¬(¬a ∧ ¬b) := ⟨fun h ⟨x, y⟩ => h.elim x y, fun h => (em a).imp id fun x => byContradiction fun y => h ⟨x, y⟩⟩
theorem imp_iff_not_or [Decidable a] : (a → b) ↔ (¬a ∨ b) := ⟨fun h => (em a).elim (fun x => .inr (h x)) .inl, fun h x => h.elim (absurd x) id⟩

theorem peirce (a b : Prop) [Decidable a] : ((a → b) → a) → a := fun h => byContradiction fun na => na (h fun x => absurd x na)
theorem iff_iff_and_or_not_and_not {a b : Prop} [Decidable b] : (a ↔ b) ↔ a ∧ b ∨ ¬a ∧ ¬b :=
  ⟨fun h => (em b).imp (fun y => ⟨h.2 y, y⟩) (fun ny => ⟨fun x => ny (h.1 x), ny⟩), fun h => h.elim (fun ⟨x, y⟩ => iff_of_true x y) (fun ⟨x, y⟩ => iff_of_false x y)⟩
end Decidable
@[simp] theorem if_true_left [h : Decidable p] : ite p True q ↔ ¬p → q := by cases h <;> simp [*]
@[simp] theorem if_true_right [h : Decidable p] : ite p q True ↔ p → q := by cases h <;> simp [*]
@[simp] theorem if_false_left [h : Decidable p] : ite p False q ↔ ¬p ∧ q := by cases h <;> simp [*]
@[simp] theorem if_false_right [h : Decidable p] : ite p q False ↔ p ∧ q := by cases h <;> simp [*]
theorem apply_ite {α : Sort u} {β : Sort v} (f : α → β) (P : Prop) [Decidable P] (x y : α) : f (ite P x y) = ite P (f x) (f y) := by by_cases h : P <;> simp [h]
theorem apply_dite {α : Sort u} {β : Sort v} (f : α → β) (P : Prop) [Decidable P] (x : P → α) (y : ¬P → α) :
    f (dite P x y) = dite P (fun h => f (x h)) (fun h => f (y h)) := by by_cases h : P <;> simp [h]
theorem ite_not {α : Sort u} (p : Prop) [Decidable p] (x y : α) : ite (¬p) x y = ite p y x := by by_cases h : p <;> simp [h]
attribute [simp] ite_not
theorem dite_not {α : Sort u} [hn : Decidable (¬p)] [h : Decidable p] (x : ¬p → α) (y : ¬¬p → α) :
    dite (¬p) x y = dite p (fun h => y (not_not_intro h)) x := by by_cases h : p <;> simp [h]
theorem ite_eq_iff {α : Sort u} {c : Prop} [Decidable c] {a b d : α} : ite c a b = d ↔ c ∧ a = d ∨ ¬c ∧ b = d := by by_cases h : c <;> simp [h]
theorem ite_eq_left_iff {α : Sort u} {a b : α} {P : Prop} [Decidable P] : ite P a b = a ↔ ¬P → b = a := by by_cases h : P <;> simp [h]
theorem ite_eq_right_iff {α : Sort u} {a b : α} {P : Prop} [Decidable P] : ite P a b = b ↔ P → a = b := by by_cases h : P <;> simp [h]
attribute [simp] ite_eq_left_iff ite_eq_right_iff
theorem ite_some_none_eq_none {α : Type u} [Decidable p] {x : α} : (if p then some x else none) = none ↔ ¬p := by by_cases h : p <;> simp [h]
theorem ite_some_none_eq_some {α : Type u} [Decidable p] {x y : α} : (if p then some x else none) = some y ↔ p ∧ x = y := by
  by_cases h : p
  · rw [if_pos h]; exact ⟨fun e => ⟨h, by cases e; rfl⟩, fun e => e.2 ▸ rfl⟩
  · rw [if_neg h]; exact ⟨fun e => (by cases e), fun e => absurd e.1 h⟩
attribute [simp] ite_some_none_eq_none ite_some_none_eq_some
theorem Subtype.ext {α : Sort u} {p : α → Prop} : {a b : Subtype p} → a.val = b.val → a = b | ⟨_, _⟩, ⟨_, _⟩, rfl => rfl
theorem Subtype.ext_iff {α : Sort u} {p : α → Prop} {a b : Subtype p} : a = b ↔ a.val = b.val := ⟨congrArg _, Subtype.ext⟩
protected theorem Subtype.eq {α : Sort u} {p : α → Prop} {a b : Subtype p} (h : a.val = b.val) : a = b := Subtype.ext h
attribute [ext] Subtype.ext
@[simp] theorem Subtype.coe_eta {α : Sort u} {p : α → Prop} (a : Subtype p) (h : p a.val) : Subtype.mk a.val h = a := rfl
theorem Subtype.forall {α : Sort u} {p : α → Prop} {q : Subtype p → Prop} : (∀ x, q x) ↔ ∀ a b, q ⟨a, b⟩ := ⟨fun h a b => h ⟨a, b⟩, fun h ⟨a, b⟩ => h a b⟩
theorem Subtype.exists {α : Sort u} {p : α → Prop} {q : Subtype p → Prop} : (∃ x, q x) ↔ ∃ a b, q ⟨a, b⟩ := ⟨fun ⟨⟨a, b⟩, h⟩ => ⟨a, b, h⟩, fun ⟨a, b, h⟩ => ⟨⟨a, b⟩, h⟩⟩
instance {α : Type u} {p : α → Prop} [DecidableEq α] : DecidableEq { x // p x } := fun a b =>
  if h : a.val = b.val then isTrue (Subtype.ext h) else isFalse fun e => h (congrArg _ e)
theorem Sigma.ext {α : Type u} {β : α → Type v} : {x y : Sigma β} → x.fst = y.fst → HEq x.snd y.snd → x = y | ⟨_, _⟩, ⟨_, _⟩, rfl, .refl _ => rfl
attribute [ext] Sigma.ext propext
@[ext] theorem PSigma.ext {α : Sort u} {β : α → Sort v} : {x y : PSigma β} → x.fst = y.fst → HEq x.snd y.snd → x = y | ⟨_, _⟩, ⟨_, _⟩, rfl, .refl _ => rfl
@[ext] theorem PProd.ext {α : Sort u} {β : Sort v} : {p q : PProd α β} → p.fst = q.fst → p.snd = q.snd → p = q | ⟨_, _⟩, ⟨_, _⟩, rfl, rfl => rfl
attribute [ext] PUnit.ext
attribute [refl] Iff.refl
/-! Booleans -/
infixl:33 " ^^ " => Bool.xor
@[simp] theorem beq_eq_false_iff_ne {α : Type u} [BEq α] [LawfulBEq α] {a b : α} : (a == b) = false ↔ a ≠ b :=
  ⟨fun h e => Bool.false_ne_true (h.symm.trans (beq_iff_eq.2 e)), fun h => of_not_eq_true fun e => h (eq_of_beq e)⟩
@[simp] theorem bne_eq_false_iff_eq {α : Type u} [BEq α] [LawfulBEq α] {a b : α} : (a != b) = false ↔ a = b := by
  unfold bne; rw [Bool.not_eq_false', beq_iff_eq]
@[simp] theorem bne_self_eq_false {α : Type u} [BEq α] [ReflBEq α] (a : α) : (a != a) = false := by unfold bne; rw [beq_self_eq_true]; rfl
theorem beq_false_of_ne {α : Type u} [BEq α] [LawfulBEq α] {a b : α} (h : a ≠ b) : (a == b) = false := beq_eq_false_iff_ne.2 h
theorem ne_of_beq_false {α : Type u} [BEq α] [ReflBEq α] {a b : α} (h : (a == b) = false) : a ≠ b := fun e => Bool.false_ne_true (h.symm.trans (e ▸ ReflBEq.rfl))
theorem beq_of_eq {α : Type u} [BEq α] [ReflBEq α] {a b : α} (h : a = b) : (a == b) = true := h ▸ ReflBEq.rfl
theorem bne_of_ne {α : Type u} [BEq α] [LawfulBEq α] {a b : α} (h : a ≠ b) : (a != b) = true := bne_iff_ne.2 h
@[simp] theorem decide_eq_decide {p q : Prop} [d : Decidable p] [e : Decidable q] : decide p = decide q ↔ (p ↔ q) := by
  cases d <;> cases e <;> simp [*]
@[simp] theorem decide_not [g : Decidable p] [h : Decidable (¬p)] : decide (¬p) = !(decide p) := by
  cases g <;> cases h <;> first | rfl | contradiction
@[simp] theorem Bool.decide_eq_true {b : Bool} [d : Decidable (b = true)] : decide (b = true) = b := by cases b <;> simp
@[simp] theorem Bool.decide_eq_false {b : Bool} [d : Decidable (b = false)] : decide (b = false) = !b := by cases b <;> simp
@[simp] theorem Bool.decide_and (p q : Prop) [dpq : Decidable (p ∧ q)] [dp : Decidable p] [dq : Decidable q] : decide (p ∧ q) = (decide p && decide q) := by
  cases dp <;> cases dq <;> simp [*]
@[simp] theorem Bool.decide_or (p q : Prop) [dpq : Decidable (p ∨ q)] [dp : Decidable p] [dq : Decidable q] : decide (p ∨ q) = (decide p || decide q) := by
  cases dp <;> cases dq <;> simp [*]
namespace Bool
variable {a b c x y z : Bool}
@[simp] theorem not_eq_not : ∀ {a b : Bool}, ¬a = !b ↔ a = b := by intro a b; cases a <;> cases b <;> simp
@[simp] theorem not_not_eq : ∀ {a b : Bool}, ¬(!a) = b ↔ a = b := by intro a b; cases a <;> cases b <;> simp
theorem eq_iff_iff : a = b ↔ (a = true ↔ b = true) := by cases a <;> cases b <;> simp
@[simp] theorem coe_iff_coe {a b : Bool} : (a = true ↔ b = true) ↔ a = b := eq_iff_iff.symm
theorem eq_false_imp_eq_true {b : Bool} (h : b = false → b = true) : b = true := by cases b; exacts [h rfl, rfl]
@[simp] theorem and_not_self : ∀ x : Bool, (x && !x) = false | false | true => rfl
@[simp] theorem not_and_self : ∀ x : Bool, (!x && x) = false | false | true => rfl
@[simp] theorem or_not_self : ∀ x : Bool, (x || !x) = true | false | true => rfl
@[simp] theorem not_or_self : ∀ x : Bool, (!x || x) = true | false | true => rfl
@[simp] theorem and_eq_false_iff : (x && y) = false ↔ x = false ∨ y = false := by cases x <;> cases y <;> simp
theorem and_eq_false_imp : (x && y) = false ↔ (x = true → y = false) := by cases x <;> cases y <;> simp
@[simp] theorem or_eq_false_iff : (x || y) = false ↔ x = false ∧ y = false := by cases x <;> cases y <;> simp
theorem and_eq_true_iff : (x && y) = true ↔ x = true ∧ y = true := by simp
theorem or_eq_true_iff : (x || y) = true ↔ x = true ∨ y = true := by simp
@[simp] theorem and_self_left : (a && (a && b)) = (a && b) := by cases a <;> rfl
@[simp] theorem and_self_right : ((a && b) && b) = (a && b) := by cases a <;> cases b <;> rfl
@[simp] theorem or_self_left : (a || (a || b)) = (a || b) := by cases a <;> rfl
@[simp] theorem or_self_right : ((a || b) || b) = (a || b) := by cases a <;> cases b <;> rfl
theorem and_left_comm (x y z : Bool) : (x && (y && z)) = (y && (x && z)) := by cases x <;> cases y <;> rfl
theorem and_right_comm (x y z : Bool) : ((x && y) && z) = ((x && z) && y) := by cases x <;> cases y <;> cases z <;> rfl
theorem or_left_comm (x y z : Bool) : (x || (y || z)) = (y || (x || z)) := by cases x <;> cases y <;> rfl
theorem or_right_comm (x y z : Bool) : ((x || y) || z) = ((x || z) || y) := by cases x <;> cases y <;> cases z <;> rfl
theorem and_or_distrib_left (x y z : Bool) : (x && (y || z)) = ((x && y) || (x && z)) := by cases x <;> rfl
theorem and_or_distrib_right (x y z : Bool) : ((x || y) && z) = ((x && z) || (y && z)) := by cases x <;> cases y <;> cases z <;> rfl
theorem or_and_distrib_left (x y z : Bool) : (x || (y && z)) = ((x || y) && (x || z)) := by cases x <;> rfl
theorem or_and_distrib_right (x y z : Bool) : ((x && y) || z) = ((x || z) && (y || z)) := by cases x <;> cases y <;> cases z <;> rfl
@[simp] theorem not_and (x y : Bool) : (!(x && y)) = (!x || !y) := by cases x <;> rfl
@[simp] theorem not_or (x y : Bool) : (!(x || y)) = (!x && !y) := by cases x <;> rfl
@[simp] theorem false_xor (x : Bool) : (false ^^ x) = x := by cases x <;> rfl
@[simp] theorem xor_false (x : Bool) : (x ^^ false) = x := rfl
@[simp] theorem true_xor (x : Bool) : (true ^^ x) = !x := by cases x <;> rfl
@[simp] theorem xor_true (x : Bool) : (x ^^ true) = !x := rfl
@[simp] theorem xor_self (x : Bool) : (x ^^ x) = false := by cases x <;> rfl
theorem xor_comm (x y : Bool) : (x ^^ y) = (y ^^ x) := by cases x <;> cases y <;> rfl
theorem xor_assoc (x y z : Bool) : ((x ^^ y) ^^ z) = (x ^^ (y ^^ z)) := by cases x <;> cases y <;> cases z <;> rfl
theorem xor_left_comm (x y z : Bool) : (x ^^ (y ^^ z)) = (y ^^ (x ^^ z)) := by cases x <;> cases y <;> cases z <;> rfl
@[simp] theorem not_xor (x y : Bool) : ((!x) ^^ y) = !(x ^^ y) := by cases x <;> cases y <;> rfl
@[simp] theorem xor_not (x y : Bool) : (x ^^ (!y)) = !(x ^^ y) := by cases x <;> cases y <;> rfl
@[simp] theorem beq_true (b : Bool) : (b == true) = b := by cases b <;> rfl
@[simp] theorem true_beq (b : Bool) : (true == b) = b := by cases b <;> rfl
@[simp] theorem beq_false (b : Bool) : (b == false) = !b := by cases b <;> rfl
@[simp] theorem false_beq (b : Bool) : (false == b) = !b := by cases b <;> rfl
@[simp] theorem not_inj_iff : ∀ {x y : Bool}, (!x) = (!y) ↔ x = y := by intro x y; cases x <;> cases y <;> simp
theorem not_inj {x y : Bool} (h : (!x) = (!y)) : x = y := not_inj_iff.1 h
theorem eq_not : ∀ {a b : Bool}, (a = !b) ↔ a ≠ b := by intro a b; cases a <;> cases b <;> simp
theorem not_eq : ∀ {a b : Bool}, (!a) = b ↔ a ≠ b := by intro a b; cases a <;> cases b <;> simp
@[simp] theorem not_eq_eq_eq_not {a b : Bool} : ((!a) = b) ↔ (a = !b) := by cases a <;> cases b <;> simp
theorem eq_true_or_eq_false (b : Bool) : b = true ∨ b = false := eq_false_or_eq_true b
instance : Std.Associative (· && ·) := ⟨and_assoc⟩
instance : Std.Commutative (· && ·) := ⟨and_comm⟩
instance : Std.IdempotentOp (· && ·) := ⟨and_self⟩
instance : Std.Associative (· || ·) := ⟨or_assoc⟩
instance : Std.Commutative (· || ·) := ⟨or_comm⟩
instance : Std.IdempotentOp (· || ·) := ⟨or_self⟩
instance : Std.Associative (· ^^ ·) := ⟨xor_assoc⟩
instance : Std.Commutative (· ^^ ·) := ⟨xor_comm⟩
instance (p : Bool → Prop) [∀ b, Decidable (p b)] : Decidable (∀ b, p b) :=
  match (inferInstance : Decidable (p true ∧ p false)) with
  | isTrue h => isTrue fun | true => h.1 | false => h.2
  | isFalse h => isFalse fun all => h ⟨all true, all false⟩
instance (p : Bool → Prop) [∀ b, Decidable (p b)] : Decidable (∃ b, p b) :=
  match (inferInstance : Decidable (p true ∨ p false)) with
  | isTrue h => isTrue (h.elim (⟨true, ·⟩) (⟨false, ·⟩))
  | isFalse h => isFalse fun | ⟨true, x⟩ => h (.inl x) | ⟨false, x⟩ => h (.inr x)
@[inline] def toNat (b : Bool) : Nat := cond b 1 0
@[simp] theorem toNat_true : true.toNat = 1 := rfl
@[simp] theorem toNat_false : false.toNat = 0 := rfl
theorem toNat_le (c : Bool) : c.toNat ≤ 1 := by cases c; exacts [Nat.le.step .refl, .refl]
end Bool
@[simp] theorem cond_eq_ite {α : Sort u} (c : Bool) (a b : α) : cond c a b = if c then a else b := by cases c <;> rfl
attribute [-simp] cond_eq_ite
theorem cond_not {α : Sort u} (c : Bool) (a b : α) : cond (!c) a b = cond c b a := by cases c <;> rfl
theorem cond_self {α : Sort u} (c : Bool) (a : α) : cond c a a = a := by cases c <;> rfl
attribute [simp] cond_not cond_self
instance : Std.Associative And := ⟨fun p q r => propext and_assoc⟩
instance : Std.Commutative And := ⟨fun p q => propext and_comm⟩
instance : Std.IdempotentOp And := ⟨and_self⟩
instance : Std.Associative Or := ⟨fun p q r => propext or_assoc⟩
instance : Std.Commutative Or := ⟨fun p q => propext or_comm⟩
instance : Std.IdempotentOp Or := ⟨or_self⟩
theorem decide_eq_true_iff {p : Prop} [Decidable p] : decide p = true ↔ p := ⟨of_decide_eq_true, decide_eq_true⟩
end
theorem Function.comp_def {α : Sort u} {β : Sort v} {δ : Sort w} (f : β → δ) (g : α → β) : f ∘ g = fun x => f (g x) := rfl
@[simp] theorem Function.comp_id {α : Sort u} {β : Sort v} (f : α → β) : f ∘ id = f := rfl
@[simp] theorem Function.id_comp {α : Sort u} {β : Sort v} (f : α → β) : id ∘ f = f := rfl
theorem Function.comp_assoc {α : Sort u} {β : Sort v} {γ : Sort w} {δ : Sort u} (f : γ → δ) (g : β → γ) (h : α → β) : (f ∘ g) ∘ h = f ∘ (g ∘ h) := rfl
@[simp] theorem Function.const_apply {α : Sort u} {β : Sort v} {y : β} {x : α} : Function.const α y x = y := rfl
namespace Function
variable {α : Sort u} {β : Sort v} {γ : Sort w}
def Injective (f : α → β) : Prop := ∀ ⦃a₁ a₂⦄, f a₁ = f a₂ → a₁ = a₂
def Surjective (f : α → β) : Prop := ∀ b, ∃ a, f a = b
def LeftInverse (g : β → α) (f : α → β) : Prop := ∀ x, g (f x) = x
def RightInverse (g : β → α) (f : α → β) : Prop := LeftInverse f g
@[inline] def onFun (f : β → β → γ) (g : α → β) : α → α → γ := fun x y => f (g x) (g y)
@[inline] def curry {α : Type u} {β : Type v} {γ : Type w} : (α × β → γ) → α → β → γ := fun f a b => f (a, b)
@[inline] def uncurry {α : Type u} {β : Type v} {γ : Type w} : (α → β → γ) → α × β → γ := fun f p => f p.1 p.2
theorem LeftInverse.injective {g : β → α} {f : α → β} (h : LeftInverse g f) : Injective f := fun a b e => (h a).symm.trans ((congrArg g e).trans (h b))
theorem RightInverse.surjective {g : β → α} {f : α → β} (h : RightInverse g f) : Surjective f := fun b => ⟨g b, h b⟩
end Function
@[inline] def flip {α : Sort u} {β : Sort v} {φ : Sort w} (f : α → β → φ) : β → α → φ := fun b a => f a b
def Prod.map {α₁ : Type u} {α₂ : Type v} {β₁ : Type w} {β₂ : Type u} (f : α₁ → α₂) (g : β₁ → β₂) (p : α₁ × β₁) : α₂ × β₂ := (f p.1, g p.2)
def Prod.swap {α : Type u} {β : Type v} (p : α × β) : β × α := (p.2, p.1)
@[simp] theorem Prod.swap_swap {α : Type u} {β : Type v} (p : α × β) : p.swap.swap = p := rfl
@[simp] theorem Prod.forall {α : Type u} {β : Type v} {p : α × β → Prop} : (∀ x, p x) ↔ ∀ a b, p (a, b) := ⟨fun h a b => h (a, b), fun h ⟨a, b⟩ => h a b⟩
@[simp] theorem Prod.exists {α : Type u} {β : Type v} {p : α × β → Prop} : (∃ x, p x) ↔ ∃ a b, p (a, b) := ⟨fun ⟨⟨a, b⟩, h⟩ => ⟨a, b, h⟩, fun ⟨a, b, h⟩ => ⟨(a, b), h⟩⟩
protected def Sum.elim {α : Type u} {β : Type v} {γ : Sort w} (f : α → γ) (g : β → γ) : Sum α β → γ
  | .inl a => f a
  | .inr b => g b
protected def Sum.map {α : Type u} {β : Type v} {α' : Type u} {β' : Type v} (f : α → α') (g : β → β') : Sum α β → Sum α' β'
  | .inl a => .inl (f a)
  | .inr b => .inr (g b)
def Sum.isLeft {α : Type u} {β : Type v} : Sum α β → Bool
  | .inl _ => true
  | .inr _ => false
def Sum.isRight {α : Type u} {β : Type v} : Sum α β → Bool
  | .inl _ => false
  | .inr _ => true
@[simp] theorem Sum.elim_inl {α : Type u} {β : Type v} {γ : Sort w} (f : α → γ) (g : β → γ) (x : α) : Sum.elim f g (.inl x) = f x := rfl
@[simp] theorem Sum.elim_inr {α : Type u} {β : Type v} {γ : Sort w} (f : α → γ) (g : β → γ) (x : β) : Sum.elim f g (.inr x) = g x := rfl
