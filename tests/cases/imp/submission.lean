/-! The Imp language of Software Foundations: syntax, evaluation, and proofs of what the problem asks. -/

abbrev ident := String
abbrev state := ident → Nat

inductive aexp where
  | ANum (n : Nat)
  | AId (x : ident)
  | APlus (a1 a2 : aexp)
  | AMinus (a1 a2 : aexp)
  | AMult (a1 a2 : aexp)

inductive bexp where
  | BTrue
  | BFalse
  | BEq (a1 a2 : aexp)
  | BLe (a1 a2 : aexp)
  | BNot (b : bexp)
  | BAnd (b1 b2 : bexp)

inductive com where
  | CSkip
  | CAss (l : ident) (a : aexp)
  | CSeq (c1 c2 : com)
  | CIf (b : bexp) (c1 c2 : com)
  | CWhile (b : bexp) (c : com)

def empty_state : state := fun _ => 0

def update (st : state) (l : ident) (n : Nat) : state := fun l' => if l = l' then n else st l'

def aeval (a : aexp) (st : state) : Nat :=
  match a with
  | .ANum n => n
  | .AId x => st x
  | .APlus a1 a2 => aeval a1 st + aeval a2 st
  | .AMinus a1 a2 => aeval a1 st - aeval a2 st
  | .AMult a1 a2 => aeval a1 st * aeval a2 st

def beval (b : bexp) (st : state) : Bool :=
  match b with
  | .BTrue => true
  | .BFalse => false
  | .BEq a1 a2 => aeval a1 st == aeval a2 st
  | .BLe a1 a2 => decide (aeval a1 st ≤ aeval a2 st)
  | .BNot b1 => !beval b1 st
  | .BAnd b1 b2 => beval b1 st && beval b2 st

inductive ceval : com → state → state → Prop where
 | E_Skip (st : state) : ceval .CSkip st st
 | E_Ass (st : state) (a1 : aexp) (n : Nat) (l : ident) (h : aeval a1 st = n) :
     ceval (.CAss l a1) st (update st l n)
 | E_Seq (c1 c2 : com) (st st' st'' : state) (h1 : ceval c1 st st') (h2 : ceval c2 st' st'') :
     ceval (.CSeq c1 c2) st st''
 | E_IfTrue (st st' : state) (b1 : bexp) (c1 c2 : com) (h : beval b1 st = true) (h1 : ceval c1 st st') :
     ceval (.CIf b1 c1 c2) st st'
 | E_IfFalse (st st' : state) (b1 : bexp) (c1 c2 : com) (h : beval b1 st = false) (h1 : ceval c2 st st') :
     ceval (.CIf b1 c1 c2) st st'
 | E_WhileEnd (b1 : bexp) (st : state) (c1 : com) (h : beval b1 st = false) :
     ceval (.CWhile b1 c1) st st
 | E_WhileLoop (st st' st'' : state) (b1 : bexp) (c1 : com) (h1 : beval b1 st = true) (h2 : ceval c1 st st') (h3 : ceval (.CWhile b1 c1) st' st'') :
     ceval (.CWhile b1 c1) st st''

-- Notation for command evaluation
notation:50 c " / " st " ⇒ " st' => ceval c st st'

-- Example command: adds 2 to variable X
def plus2 : com := .CAss "X" (.APlus (.AId "X") (.ANum 2))

/-- Z := X; Y := 1; while ¬(Z = 0) do Y := Y * Z; Z := Z - 1 -/
def fact_body : com :=
  .CSeq (.CAss "Y" (.AMult (.AId "Y") (.AId "Z"))) (.CAss "Z" (.AMinus (.AId "Z") (.ANum 1)))

def fact_com : com :=
  .CSeq (.CAss "Z" (.AId "X"))
    (.CSeq (.CAss "Y" (.ANum 1)) (.CWhile (.BNot (.BEq (.AId "Z") (.ANum 0))) fact_body))

def cequiv (c1 c2 : com) : Prop := ∀ st st', (c1 / st ⇒ st') ↔ (c2 / st ⇒ st')

theorem update_eq (st : state) (l : ident) (n : Nat) : update st l n l = n := by
  simp [update]

theorem update_neq (st : state) (l l' : ident) (n : Nat) (h : l ≠ l') : update st l n l' = st l' := by
  simp [update, h]

-- Theorem: The plus2 command correctly adds 2 to variable X
-- Intuition: If X has value n in the initial state, after executing plus2,
-- X will have value n+2 in the final state
-- This specifies the behavior of the plus2 command
theorem plus2_spec (st : state) (n : Nat) (st' : state) (h1 : st "X" = n) (h2 : plus2 / st ⇒ st') :
    st' "X" = n + 2 := by
  -- plus2 is defined as .CAss "X" (.APlus (.AId "X") (.ANum 2))
  -- Use equation compiler to unfold it
  change ceval (.CAss "X" (.APlus (.AId "X") (.ANum 2))) st st' at h2
  cases h2
  rename_i m h
  have : aeval (.APlus (.AId "X") (.ANum 2)) st = m := h
  simp only [aeval] at this
  rw [update_eq, ← this, h1]

theorem plus2_terminates (st : state) : ∃ st', plus2 / st ⇒ st' := by
  exact ⟨_, .E_Ass _ _ _ _ rfl⟩

theorem skip_left (c : com) : cequiv (.CSeq .CSkip c) c := by
  intro st st'
  constructor
  · intro h
    cases h with
    | E_Seq _ _ _ mid _ h1 h2 =>
      cases h1
      exact h2
  · intro h
    exact .E_Seq _ _ _ _ _ (.E_Skip st) h

theorem while_true_nonterm (c : com) (st st' : state) (h : com.CWhile .BTrue c / st ⇒ st') : False := by
  generalize hw : com.CWhile .BTrue c = w at h
  induction h with
  | E_WhileEnd b _ _ hb =>
    cases hw
    contradiction
  | E_WhileLoop _ _ _ _ _ _ _ _ _ ih => exact ih hw
  | _ => cases hw

theorem ceval_deterministic (c : com) (st st1 st2 : state) (h1 : c / st ⇒ st1) (h2 : c / st ⇒ st2) : st1 = st2 := by
  induction h1 generalizing st2 with
  | E_Skip => cases h2; rfl
  | E_Ass st a n l h =>
    cases h2 with
    | E_Ass _ _ m _ h' => rw [← h, ← h']
  | E_Seq _ _ _ _ _ _ _ ih1 ih2 =>
    cases h2 with
    | E_Seq _ _ _ _ _ h1 h2 =>
      cases ih1 _ h1
      exact ih2 _ h2
  | E_IfTrue _ _ _ _ _ hb _ ih =>
    cases h2 with
    | E_IfTrue _ _ _ _ _ _ h => exact ih _ h
    | E_IfFalse _ _ _ _ _ hb' _ => simp [hb] at hb'
  | E_IfFalse _ _ _ _ _ hb _ ih =>
    cases h2 with
    | E_IfTrue _ _ _ _ _ hb' _ => simp [hb] at hb'
    | E_IfFalse _ _ _ _ _ _ h => exact ih _ h
  | E_WhileEnd _ _ _ hb =>
    cases h2 with
    | E_WhileEnd => rfl
    | E_WhileLoop _ _ _ _ _ hb' _ _ => simp [hb] at hb'
  | E_WhileLoop _ _ _ _ _ hb _ _ ih1 ih2 =>
    cases h2 with
    | E_WhileEnd _ _ _ hb' => simp [hb] at hb'
    | E_WhileLoop _ _ _ _ _ _ h h' =>
      cases ih1 _ h
      exact ih2 _ h'

theorem fact_body_invariant (st st' : state) (k : Nat) (hz : st "Z" = k + 1) (h : fact_body / st ⇒ st') :
    st' "Z" = k ∧ st' "Y" = st "Y" * (k + 1) := by
  unfold fact_body at h
  cases h with
  | E_Seq _ _ _ mid _ h1 h2 =>
    cases h1 with
    | E_Ass _ _ m _ hm =>
      cases h2 with
      | E_Ass _ _ k' _ hk =>
        simp only [aeval, update_neq st "Y" "Z" m (by decide)] at hm hk
        rw [update_eq, update_neq _ "Z" "Y" _ (by decide), update_eq, ← hm, ← hk, hz]
        exact ⟨rfl, rfl⟩
