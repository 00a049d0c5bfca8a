/-! What values of a Rust type are, as a hypothesis. -/

@[reducible] def char.In (c : Int) : Prop := (0 ≤ c ∧ c < 55296) ∨ (57343 < c ∧ c ≤ 1114111)

/-- No slice has more elements than this. -/
@[reducible] def Slice.Fits {α : Type} (xs : List α) : Prop := (xs.length : Int) ≤ 9223372036854775807

@[simp] def Opt.In {α : Type} (P : α → Prop) (x : Option α) : Prop :=
  match x with
  | none => True
  | some a => P a

@[simp] def Res.In {α ε : Type} (P : α → Prop) (Q : ε → Prop) (x : core.result.Result α ε) : Prop :=
  match x with
  | .Ok a => P a
  | .Err e => Q e

instance Opt.decidableIn {α : Type} (P : α → Prop) [DecidablePred P] (x : Option α) : Decidable (Opt.In P x) :=
  match x with
  | none => isTrue trivial
  | some a => inferInstanceAs (Decidable (P a))

instance Res.decidableIn {α ε : Type} (P : α → Prop) (Q : ε → Prop) [DecidablePred P] [DecidablePred Q]
    (x : core.result.Result α ε) : Decidable (Res.In P Q x) :=
  match x with
  | .Ok a => inferInstanceAs (Decidable (P a))
  | .Err e => inferInstanceAs (Decidable (Q e))
