prelude
import Init.Propositions
/-! Equivalence relations and quotients. -/
set_option linter.all false
open Lean.Native
universe u v w
namespace Quot
variable {α : Sort u} {r : α → α → Prop} {β : Sort v}
protected abbrev liftOn (q : Quot r) (f : α → β) (c : (a b : α) → r a b → f a = f b) : β := lift f c q
theorem exists_rep (q : Quot r) : ∃ a, Quot.mk r a = q := Quot.ind (β := fun q => ∃ a, Quot.mk r a = q) (fun a => ⟨a, rfl⟩) q
/-- elimination into a dependent type: the pairs of a point and a value over it form a type into which the function lifts -/
protected abbrev rec {motive : Quot r → Sort v} (f : (a : α) → motive (Quot.mk r a)) (h : ∀ a b (p : r a b), (sound p ▸ f a : motive (Quot.mk r b)) = f b)
    (q : Quot r) : motive q :=
  have first : ∀ q : Quot r, (lift (fun a => (⟨Quot.mk r a, f a⟩ : PSigma motive)) (fun a b p => PSigma.ext (sound p) (by
      have e := h a b p
      have := eqRec_heq (φ := motive) (sound p) (f a)
      exact this.symm.trans (heq_of_eq e))) q).1 = q := Quot.ind fun _ => rfl
  first q ▸ (lift (fun a => (⟨Quot.mk r a, f a⟩ : PSigma motive)) (fun a b p => PSigma.ext (sound p) (by
      have e := h a b p
      have := eqRec_heq (φ := motive) (sound p) (f a)
      exact this.symm.trans (heq_of_eq e))) q).2
protected abbrev recOnSubsingleton {motive : Quot r → Sort v} [h : (a : α) → Subsingleton (motive (Quot.mk r a))] (q : Quot r) (f : (a : α) → motive (Quot.mk r a)) : motive q :=
  Quot.rec f (fun _ _ _ => (h _).allEq _ _) q
end Quot
structure Equivalence {α : Sort u} (r : α → α → Prop) : Prop where
  refl : ∀ x, r x x
  symm : ∀ {x y}, r x y → r y x
  trans : ∀ {x y z}, r x y → r y z → r x z
class Setoid (α : Sort u) where
  r : α → α → Prop
  iseqv : Equivalence r
instance {α : Sort u} [Setoid α] : HasEquiv α := ⟨Setoid.r⟩
namespace Setoid
variable {α : Sort u} [Setoid α]
theorem refl (a : α) : a ≈ a := iseqv.refl a
theorem symm {a b : α} (hab : a ≈ b) : b ≈ a := iseqv.symm hab
theorem trans {a b c : α} (hab : a ≈ b) (hbc : b ≈ c) : a ≈ c := iseqv.trans hab hbc
attribute [refl] refl
attribute [symm] symm
end Setoid
def Quotient {α : Sort u} (s : Setoid α) := @Quot α Setoid.r
namespace Quotient
variable {α : Sort u} {β : Sort v} {φ : Sort w}
@[inline] protected def mk {α : Sort u} (s : Setoid α) (a : α) : Quotient s := Quot.mk Setoid.r a
protected def mk' {α : Sort u} [s : Setoid α] (a : α) : Quotient s := Quotient.mk s a
theorem sound {s : Setoid α} {a b : α} : a ≈ b → Quotient.mk s a = Quotient.mk s b := Quot.sound
protected abbrev lift {s : Setoid α} (f : α → β) : ((a b : α) → a ≈ b → f a = f b) → Quotient s → β := Quot.lift f
protected theorem ind {s : Setoid α} {motive : Quotient s → Prop} : ((a : α) → motive (Quotient.mk s a)) → (q : Quotient s) → motive q := Quot.ind
protected abbrev liftOn {s : Setoid α} (q : Quotient s) (f : α → β) (c : (a b : α) → a ≈ b → f a = f b) : β := Quot.liftOn q f c
@[elab_as_elim] protected theorem inductionOn {s : Setoid α} {motive : Quotient s → Prop} (q : Quotient s) (h : (a : α) → motive (Quotient.mk s a)) : motive q := Quot.inductionOn q h
theorem exists_rep {s : Setoid α} (q : Quotient s) : ∃ a, Quotient.mk s a = q := Quot.exists_rep q
@[inline, elab_as_elim] protected def rec {s : Setoid α} {motive : Quotient s → Sort v} (f : (a : α) → motive (Quotient.mk s a))
    (h : ∀ a b (p : a ≈ b), (sound p ▸ f a : motive (Quotient.mk s b)) = f b) (q : Quotient s) : motive q := Quot.rec f h q
protected abbrev lift₂ {s₁ : Setoid α} {s₂ : Setoid β} (f : α → β → φ) (c : (a₁ : α) → (b₁ : β) → (a₂ : α) → (b₂ : β) → a₁ ≈ a₂ → b₁ ≈ b₂ → f a₁ b₁ = f a₂ b₂)
    (q₁ : Quotient s₁) (q₂ : Quotient s₂) : φ :=
  Quotient.lift (fun a₁ => Quotient.lift (f a₁) (fun a b h => c a₁ a a₁ b (Setoid.refl a₁) h) q₂)
    (fun a b h => Quotient.ind (motive := fun q => Quotient.lift (f a) _ q = Quotient.lift (f b) _ q) (fun b' => c a b' b b' h (Setoid.refl b')) q₂) q₁
protected abbrev liftOn₂ {s₁ : Setoid α} {s₂ : Setoid β} (q₁ : Quotient s₁) (q₂ : Quotient s₂) (f : α → β → φ)
    (c : (a₁ : α) → (b₁ : β) → (a₂ : α) → (b₂ : β) → a₁ ≈ a₂ → b₁ ≈ b₂ → f a₁ b₁ = f a₂ b₂) : φ := Quotient.lift₂ f c q₁ q₂
@[elab_as_elim] protected theorem ind₂ {s₁ : Setoid α} {s₂ : Setoid β} {motive : Quotient s₁ → Quotient s₂ → Prop}
    (h : (a : α) → (b : β) → motive (Quotient.mk s₁ a) (Quotient.mk s₂ b)) (q₁ : Quotient s₁) (q₂ : Quotient s₂) : motive q₁ q₂ :=
  Quotient.ind (motive := fun q => motive q q₂) (fun a => Quotient.ind (h a) q₂) q₁
@[elab_as_elim] protected theorem inductionOn₂ {s₁ : Setoid α} {s₂ : Setoid β} {motive : Quotient s₁ → Quotient s₂ → Prop} (q₁ : Quotient s₁) (q₂ : Quotient s₂)
    (h : (a : α) → (b : β) → motive (Quotient.mk s₁ a) (Quotient.mk s₂ b)) : motive q₁ q₂ := Quotient.ind₂ h q₁ q₂
/-- the relation lifts to the quotient, and what it says there about `mk a` is reflexive -/
theorem exact {s : Setoid α} {a b : α} (h : Quotient.mk s a = Quotient.mk s b) : a ≈ b := by
  let rel : Quotient s → Quotient s → Prop := fun p q => Quotient.liftOn₂ p q (· ≈ ·) fun a₁ b₁ a₂ b₂ ha hb =>
    propext ⟨fun h => Setoid.trans (Setoid.symm ha) (Setoid.trans h hb), fun h => Setoid.trans ha (Setoid.trans h (Setoid.symm hb))⟩
  have self : rel (Quotient.mk s a) (Quotient.mk s a) := Setoid.refl a
  have moved : rel (Quotient.mk s a) (Quotient.mk s b) := h ▸ self
  exact moved
end Quotient
instance Quotient.decidableEq {α : Sort u} {s : Setoid α} [d : ∀ a b : α, Decidable (a ≈ b)] : DecidableEq (Quotient s) := fun q₁ q₂ =>
  Quot.recOnSubsingleton (motive := fun q => Decidable (q = q₂)) q₁ fun a => Quot.recOnSubsingleton (motive := fun q => Decidable (Quot.mk _ a = q)) q₂ fun b =>
    match d a b with
    | isTrue h => isTrue (Quot.sound h)
    | isFalse h => isFalse fun e => h (Quotient.exact e)
