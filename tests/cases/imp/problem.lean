/-! The Imp language of Software Foundations: syntax, evaluation, and what is to be proved of it. -/

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
  sorry

theorem update_neq (st : state) (l l' : ident) (n : Nat) (h : l ≠ l') : update st l n l' = st l' := by
  sorry

-- Theorem: The plus2 command correctly adds 2 to variable X
-- Intuition: If X has value n in the initial state, after executing plus2,
-- X will have value n+2 in the final state
-- This specifies the behavior of the plus2 command
theorem plus2_spec (st : state) (n : Nat) (st' : state) (h1 : st "X" = n) (h2 : plus2 / st ⇒ st') :
    st' "X" = n + 2 := by
  sorry

theorem plus2_terminates (st : state) : ∃ st', plus2 / st ⇒ st' := by
  sorry

theorem skip_left (c : com) : cequiv (.CSeq .CSkip c) c := by
  sorry

theorem while_true_nonterm (c : com) (st st' : state) (h : com.CWhile .BTrue c / st ⇒ st') : False := by
  sorry

theorem ceval_deterministic (c : com) (st st1 st2 : state) (h1 : c / st ⇒ st1) (h2 : c / st ⇒ st2) : st1 = st2 := by
  sorry

theorem fact_body_invariant (st st' : state) (k : Nat) (hz : st "Z" = k + 1) (h : fact_body / st ⇒ st') :
    st' "Z" = k ∧ st' "Y" = st "Y" * (k + 1) := by
  sorry
