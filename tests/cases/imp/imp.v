(* The Imp language in Rocq: what tests/cases/imp/problem.lean translates, as data for the parity report. *)

Definition ident := string.

Definition state := ident -> nat.

Inductive aexp : Type :=
  | ANum (n : nat)
  | AId (x : ident)
  | APlus (a1 a2 : aexp)
  | AMinus (a1 a2 : aexp)
  | AMult (a1 a2 : aexp).

Inductive bexp : Type :=
  | BTrue
  | BFalse
  | BEq : aexp -> aexp -> bexp
  | BLe : aexp -> aexp -> bexp
  | BNot (b : bexp)
  | BAnd (b1 b2 : bexp).

Inductive com : Type :=
  | CSkip : com
  | CAss : ident -> aexp -> com
  | CSeq : com -> com -> com
  | CIf : bexp -> com -> com -> com
  | CWhile : bexp -> com -> com.

Definition empty_state : state := fun _ => 0.

Definition update (st : state) (l : ident) (n : nat) : state :=
  fun l' => if string_dec l l' then n else st l'.

(* Here the state comes first; in the translation it comes last. *)
Fixpoint aeval (st : state) (a : aexp) {struct a} : nat :=
  match a with
  | ANum n => n
  | AId x => st x
  | APlus a1 a2 => aeval st a1 + aeval st a2
  | AMinus a1 a2 => aeval st a1 - aeval st a2
  | AMult a1 a2 => aeval st a1 * aeval st a2
  end.

Fixpoint beval (st : state) (b : bexp) : bool :=
  match b with
  | BTrue => true
  | BFalse => false
  | BEq a1 a2 => Nat.eqb (aeval st a1) (aeval st a2)
  | BLe a1 a2 => Nat.leb (aeval st a1) (aeval st a2)
  | BNot b1 => negb (beval st b1)
  | BAnd b1 b2 => andb (beval st b1) (beval st b2)
  end.

Inductive ceval : com -> state -> state -> Prop :=
  | E_Skip : forall st, ceval CSkip st st
  | E_Ass : forall (st : state) (a1 : aexp) (n : nat) (l : ident),
      aeval st a1 = n -> ceval (CAss l a1) st (update st l n)
  | E_Seq : forall c1 c2 st st' st'',
      ceval c1 st st' -> ceval c2 st' st'' -> ceval (CSeq c1 c2) st st''
  | E_IfTrue : forall st st' b1 c1 c2,
      beval st b1 = true -> ceval c1 st st' -> ceval (CIf b1 c1 c2) st st'
  | E_IfFalse : forall st st' b1 c1 c2,
      beval st b1 = false -> ceval c2 st st' -> ceval (CIf b1 c1 c2) st st'
  | E_WhileEnd : forall b1 st c1, beval st b1 = false -> ceval (CWhile b1 c1) st st
  | E_WhileLoop : forall st st' st'' b1 c1,
      beval st b1 = true -> ceval c1 st st' -> ceval (CWhile b1 c1) st' st'' -> ceval (CWhile b1 c1) st st''.

Notation "c '/' st '==>' st'" := (ceval c st st') (at level 40, st at level 39).

Definition plus2 : com := CAss "X" (APlus (AId "X") (ANum 2)).

Example sample_plus : aeval empty_state (APlus (ANum 2) (AMult (ANum 3) (ANum 4))) = 14.
Proof. reflexivity. Qed.

Example sample_minus : aeval empty_state (AMinus (ANum 2) (ANum 3)) = 0.
Proof. reflexivity. Qed.

Example sample_update : aeval (update empty_state "X"%string 5) (AId "X") = 5.
Proof. reflexivity. Qed.

Example sample_le : beval empty_state (BLe (ANum 2) (ANum 2)) = true.
Proof. reflexivity. Qed.

Example sample_not : beval empty_state (BNot (BEq (ANum 1) (ANum 2))) = true.
Proof. reflexivity. Qed.

Theorem update_eq : forall (st : state) (l : ident) (n : nat), update st l n l = n.
Proof. Admitted.

Theorem plus2_spec : forall (st : state) (n : nat) (st' : state),
  st "X" = n -> plus2 / st ==> st' -> st' "X" = n + 2.
Proof. Admitted.

Theorem ceval_deterministic : forall c st st1 st2,
  c / st ==> st1 -> c / st ==> st2 -> st1 = st2.
Proof. Admitted.

Theorem while_true_nonterm : forall (c : com) (st st' : state), ~ (CWhile BTrue c / st ==> st').
Proof. Admitted.
