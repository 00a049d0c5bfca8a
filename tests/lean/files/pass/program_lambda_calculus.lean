-- Simply typed terms with de Bruijn indices: typing is unique.
inductive Ty where
  | base
  | arrow (a b : Ty)

inductive Tm where
  | var (i : Nat)
  | app (f a : Tm)
  | lam (t : Ty) (body : Tm)

inductive HasType : List Ty → Tm → Ty → Prop where
  | var {Γ : List Ty} {i : Nat} {t : Ty} (h : Γ[i]? = some t) : HasType Γ (.var i) t
  | app {Γ : List Ty} {f a : Tm} {s t : Ty} (hf : HasType Γ f (.arrow s t)) (ha : HasType Γ a s) :
      HasType Γ (.app f a) t
  | lam {Γ : List Ty} {b : Tm} {s t : Ty} (hb : HasType (s :: Γ) b t) : HasType Γ (.lam s b) (.arrow s t)

notation:40 Γ " ⊢ " e " : " t => HasType Γ e t

theorem unique {Γ : List Ty} {e : Tm} {s t : Ty} (h₁ : Γ ⊢ e : s) (h₂ : Γ ⊢ e : t) : s = t := by
  induction h₁ generalizing t with
  | var h =>
    cases h₂ with
    | var h' => exact Option.some.inj (h.symm.trans h')
  | app _ _ ihf _ =>
    cases h₂ with
    | app hf _ =>
      injection ihf hf
  | lam _ ih =>
    cases h₂ with
    | lam hb => rw [ih hb]

example : [] ⊢ .lam .base (.var 0) : .arrow .base .base := .lam (.var rfl)
