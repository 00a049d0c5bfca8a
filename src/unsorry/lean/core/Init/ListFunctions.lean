prelude
import Init.ListExtras
import Init.UserLemmas
import Init.Propositions
/-! The remaining functions on lists, with their first facts. -/
set_option linter.all false
open Lean.Native
universe u v w
variable {α : Type u} {β : Type v} {γ : Type w}
namespace List
protected abbrev singleton (a : α) : List α := [a]
def head : (as : List α) → as ≠ [] → α
  | a :: _, _ => a
def headD (as : List α) (fallback : α) : α := match as with | [] => fallback | a :: _ => a
def head! [Inhabited α] : List α → α
  | [] => default
  | a :: _ => a
def tail? : List α → Option (List α)
  | [] => none
  | _ :: as => some as
def tailD (l fallback : List α) : List α := match l with | [] => fallback | _ :: as => as
def getLast : (as : List α) → as ≠ [] → α
  | [a], _ => a
  | _ :: b :: as, _ => getLast (b :: as) (fun h => by cases h)
def getLast? : List α → Option α
  | [] => none
  | a :: as => some (getLast (a :: as) (fun h => by cases h))
def getLastD (as : List α) (fallback : α) : α := (getLast? as).getD fallback
def getD (as : List α) (i : Nat) (fallback : α) : α := match as, i with
  | [], _ => fallback
  | a :: _, 0 => a
  | _ :: as, i+1 => getD as i fallback
def dropLast : List α → List α
  | [] => []
  | [_] => []
  | a :: b :: as => a :: dropLast (b :: as)
def set : (l : List α) → (n : Nat) → (a : α) → List α
  | _ :: as, 0, b => b :: as
  | a :: as, n+1, b => a :: set as n b
  | [], _, _ => []
def modifyHead (f : α → α) : List α → List α
  | [] => []
  | a :: as => f a :: as
def filterMap (f : α → Option β) : List α → List β
  | [] => []
  | a :: as => match f a with
    | none => filterMap f as
    | some b => b :: filterMap f as
def flatMap (b : α → List β) (as : List α) : List β := flatten (map b as)
def find? (p : α → Bool) : List α → Option α
  | [] => none
  | a :: as => match p a with
    | true => some a
    | false => find? p as
def findSome? (f : α → Option β) : List α → Option β
  | [] => none
  | a :: as => match f a with
    | some b => some b
    | none => findSome? f as
def findIdx (p : α → Bool) (l : List α) : Nat := go l 0
where go : List α → Nat → Nat
  | [], n => n
  | a :: l, n => bif p a then n else go l (n + 1)
def findIdx? (p : α → Bool) (l : List α) : Option Nat := go l 0
where go : List α → Nat → Option Nat
  | [], _ => none
  | a :: l, i => if p a then some i else go l (i + 1)
def idxOf [BEq α] (a : α) : List α → Nat := findIdx (· == a)
def elem [BEq α] (a : α) : (l : List α) → Bool
  | [] => false
  | b :: bs => match a == b with
    | true => true
    | false => elem a bs
abbrev contains [BEq α] (as : List α) (a : α) : Bool := elem a as
def countP (p : α → Bool) (l : List α) : Nat := go l 0
where go : List α → Nat → Nat
  | [], n => n
  | a :: l, n => bif p a then go l (n + 1) else go l n
def count [BEq α] (a : α) : List α → Nat := countP (· == a)
def takeWhile (p : α → Bool) : (xs : List α) → List α
  | [] => []
  | a :: as => match p a with
    | true => a :: takeWhile p as
    | false => []
def dropWhile (p : α → Bool) : List α → List α
  | [] => []
  | a :: as => match p a with
    | true => dropWhile p as
    | false => a :: as
@[inline] def partition (p : α → Bool) (as : List α) : List α × List α := go as ([], [])
where go : List α → List α × List α → List α × List α
  | [], (bs, cs) => (bs.reverse, cs.reverse)
  | a :: as, (bs, cs) => match p a with
    | true => go as (a :: bs, cs)
    | false => go as (bs, a :: cs)
@[inline] def span (p : α → Bool) (as : List α) : List α × List α := go as []
where go : List α → List α → List α × List α
  | a :: as, acc => match p a with
    | true => go as (a :: acc)
    | false => (acc.reverse, a :: as)
  | [], acc => (acc.reverse, [])
def splitAt (n : Nat) (l : List α) : List α × List α := (l.take n, l.drop n)
def intersperse (sep : α) : (l : List α) → List α
  | [] => []
  | [x] => [x]
  | x :: y :: zs => x :: sep :: intersperse sep (y :: zs)
def intercalate (sep : List α) (xs : List (List α)) : List α := (intersperse sep xs).flatten
def unzip : (l : List (α × β)) → List α × List β
  | [] => ([], [])
  | (a, b) :: t => match unzip t with | (as, bs) => (a :: as, b :: bs)
def zipIdx : (l : List α) → (n : Nat := 0) → List (α × Nat)
  | [], _ => []
  | x :: xs, n => (x, n) :: zipIdx xs (n + 1)
def erase [BEq α] : List α → α → List α
  | [], _ => []
  | a :: as, b => match a == b with
    | true => as
    | false => a :: erase as b
def eraseIdx : (l : List α) → (i : Nat) → List α
  | [], _ => []
  | _ :: as, 0 => as
  | a :: as, n+1 => a :: eraseIdx as n
def eraseDups [BEq α] (as : List α) : List α := go as []
where go : List α → List α → List α
  | [], bs => bs.reverse
  | a :: as, bs => match bs.elem a with
    | true => go as bs
    | false => go as (a :: bs)
protected def insert [BEq α] (a : α) (l : List α) : List α := if elem a l then l else a :: l
def lookup [BEq α] : α → List (α × β) → Option β
  | _, [] => none
  | a, (k, b) :: as => match a == k with
    | true => some b
    | false => lookup a as
def isPrefixOf [BEq α] : List α → List α → Bool
  | [], _ => true
  | _, [] => false
  | a :: as, b :: bs => a == b && isPrefixOf as bs
def isSuffixOf [BEq α] (l₁ l₂ : List α) : Bool := isPrefixOf l₁.reverse l₂.reverse
def range' : (start len : Nat) → (step : Nat := 1) → List Nat
  | _, 0, _ => []
  | s, n+1, step => s :: range' (s + step) n step
def min? [Min α] : List α → Option α
  | [] => none
  | a :: as => some (as.foldl min a)
def max? [Max α] : List α → Option α
  | [] => none
  | a :: as => some (as.foldl max a)
inductive Pairwise (R : α → α → Prop) : List α → Prop where
  | nil : Pairwise R []
  | cons : ∀ {a : α} {l : List α}, (∀ a', a' ∈ l → R a a') → Pairwise R l → Pairwise R (a :: l)
def Nodup : List α → Prop := Pairwise (· ≠ ·)
inductive Sublist {α : Type u} : List α → List α → Prop where
  | slnil : Sublist [] []
  | cons {l₁ l₂ : List α} (a : α) : Sublist l₁ l₂ → Sublist l₁ (a :: l₂)
  | cons₂ {l₁ l₂ : List α} (a : α) : Sublist l₁ l₂ → Sublist (a :: l₁) (a :: l₂)
inductive Perm {α : Type u} : List α → List α → Prop where
  | nil : Perm [] []
  | cons (x : α) {l₁ l₂ : List α} : Perm l₁ l₂ → Perm (x :: l₁) (x :: l₂)
  | swap (x y : α) (l : List α) : Perm (y :: x :: l) (x :: y :: l)
  | trans {l₁ l₂ l₃ : List α} : Perm l₁ l₂ → Perm l₂ l₃ → Perm l₁ l₃
def IsPrefix (l₁ l₂ : List α) : Prop := ∃ t, l₁ ++ t = l₂
def IsSuffix (l₁ l₂ : List α) : Prop := ∃ t, t ++ l₁ = l₂
def IsInfix (l₁ l₂ : List α) : Prop := ∃ s t, s ++ l₁ ++ t = l₂
protected def Subset (l₁ l₂ : List α) : Prop := ∀ ⦃a : α⦄, a ∈ l₁ → a ∈ l₂
instance : HasSubset (List α) := ⟨List.Subset⟩
trailing_parsers term_parser : «term_<+:_» «term_<:+_» «term_<:+:_»
@[extern "c", scoped term_parser] opaque «term_<+_» : Lean.TrailingParserDescr
@[extern "c", scoped term_parser] opaque «term_~_» : Lean.TrailingParserDescr
macros Data.List.Basic : «term_<+_» «term_<+:_» «term_<:+_» «term_<:+:_» «term_~_»
@[simp] theorem head_cons {a : α} {l : List α} {h} : head (a :: l) h = a := rfl
@[simp] theorem headD_nil {d : α} : headD [] d = d := rfl
@[simp] theorem headD_cons {a d : α} {l : List α} : headD (a :: l) d = a := rfl
@[simp] theorem getLast_singleton {a : α} (h) : getLast [a] h = a := rfl
@[simp] theorem getLast?_nil : getLast? ([] : List α) = none := rfl
@[simp] theorem getLast?_singleton {a : α} : getLast? [a] = some a := rfl
theorem getLast_cons {a : α} {as : List α} : (h : as ≠ []) → getLast (a :: as) (cons_ne_nil a as) = getLast as h := by
  cases as with
  | nil => exact fun h => absurd rfl h
  | cons b as => exact fun _ => rfl
@[simp] theorem dropLast_nil : dropLast ([] : List α) = [] := rfl
@[simp] theorem dropLast_singleton {a : α} : dropLast [a] = [] := rfl
@[simp] theorem dropLast_cons₂ {a b : α} {l : List α} : dropLast (a :: b :: l) = a :: dropLast (b :: l) := rfl
@[simp] theorem set_nil {n : Nat} {a : α} : set [] n a = [] := rfl
@[simp] theorem set_cons_zero {a b : α} {l : List α} : set (a :: l) 0 b = b :: l := rfl
@[simp] theorem set_cons_succ {a b : α} {l : List α} {n : Nat} : set (a :: l) (n + 1) b = a :: set l n b := rfl
@[simp] theorem length_set {as : List α} {i : Nat} {a : α} : (as.set i a).length = as.length := by
  induction as generalizing i with
  | nil => rfl
  | cons b as ih => cases i <;> simp [ih]
@[simp] theorem filterMap_nil {f : α → Option β} : filterMap f [] = [] := rfl
theorem filterMap_cons {f : α → Option β} {a : α} {l : List α} : filterMap f (a :: l) = match f a with | none => filterMap f l | some b => b :: filterMap f l := rfl
@[simp] theorem filterMap_cons_none {f : α → Option β} {a : α} {l : List α} (h : f a = none) : filterMap f (a :: l) = filterMap f l := by rw [filterMap_cons, h]
@[simp] theorem filterMap_cons_some {f : α → Option β} {a : α} {l : List α} {b : β} (h : f a = some b) : filterMap f (a :: l) = b :: filterMap f l := by rw [filterMap_cons, h]
@[simp] theorem flatMap_nil {f : α → List β} : flatMap f [] = [] := rfl
@[simp] theorem flatMap_cons {f : α → List β} {x : α} {xs : List α} : flatMap f (x :: xs) = f x ++ flatMap f xs := rfl
@[simp] theorem find?_nil {p : α → Bool} : find? p [] = none := rfl
theorem find?_cons {p : α → Bool} {a : α} {as : List α} : find? p (a :: as) = match p a with | true => some a | false => find? p as := rfl
@[simp] theorem find?_cons_of_pos {p : α → Bool} {a : α} {l : List α} (h : p a = true) : find? p (a :: l) = some a := by rw [find?_cons, h]
@[simp] theorem find?_cons_of_neg {p : α → Bool} {a : α} {l : List α} (h : ¬p a = true) : find? p (a :: l) = find? p l := by rw [find?_cons, of_not_eq_true h]
theorem find?_some {p : α → Bool} {a : α} {l : List α} (h : find? p l = some a) : p a = true := by
  induction l with
  | nil => cases h
  | cons b l ih =>
    by_cases hb : p b = true
    · rw [find?_cons_of_pos hb] at h; cases h; exact hb
    · rw [find?_cons_of_neg hb] at h; exact ih h
theorem mem_of_find?_eq_some {p : α → Bool} {a : α} {l : List α} (h : find? p l = some a) : a ∈ l := by
  induction l with
  | nil => cases h
  | cons b l ih =>
    by_cases hb : p b = true
    · rw [find?_cons_of_pos hb] at h; cases h; exact mem_cons_self
    · rw [find?_cons_of_neg hb] at h; exact mem_cons_of_mem b (ih h)
@[simp] theorem elem_nil [BEq α] {a : α} : elem a [] = false := rfl
theorem elem_cons [BEq α] {a b : α} {bs : List α} : elem a (b :: bs) = match a == b with | true => true | false => elem a bs := rfl
@[simp] theorem contains_nil [BEq α] {a : α} : ([] : List α).contains a = false := rfl
@[simp] theorem contains_cons [BEq α] {a b : α} {as : List α} : (a :: as).contains b = (b == a || as.contains b) := by
  show elem b (a :: as) = _; rw [elem_cons]; cases b == a <;> rfl
@[simp] theorem elem_iff [BEq α] [LawfulBEq α] {a : α} {as : List α} : elem a as = true ↔ a ∈ as := by
  induction as with
  | nil => simp
  | cons b as ih =>
    rw [elem_cons, mem_cons]
    cases h : a == b with
    | true => exact ⟨fun _ => .inl (eq_of_beq h), fun _ => rfl⟩
    | false => exact ⟨fun e => .inr (ih.1 e), fun e => ih.2 (e.resolve_left (ne_of_beq_false h))⟩
@[simp] theorem contains_iff_mem [BEq α] [LawfulBEq α] {a : α} {as : List α} : as.contains a = true ↔ a ∈ as := elem_iff
theorem elem_eq_true_of_mem [BEq α] [LawfulBEq α] {a : α} {as : List α} (h : a ∈ as) : elem a as = true := elem_iff.2 h
@[simp] theorem takeWhile_nil {p : α → Bool} : takeWhile p [] = [] := rfl
theorem takeWhile_cons {p : α → Bool} {a : α} {l : List α} : takeWhile p (a :: l) = if p a then a :: takeWhile p l else [] := by
  show (match p a with | true => a :: takeWhile p l | false => []) = _; cases p a <;> rfl
@[simp] theorem takeWhile_cons_of_pos {p : α → Bool} {a : α} {l : List α} (h : p a = true) : takeWhile p (a :: l) = a :: takeWhile p l := by rw [takeWhile_cons, if_pos h]
@[simp] theorem takeWhile_cons_of_neg {p : α → Bool} {a : α} {l : List α} (h : ¬p a = true) : takeWhile p (a :: l) = [] := by rw [takeWhile_cons, if_neg h]
@[simp] theorem dropWhile_nil {p : α → Bool} : dropWhile p [] = [] := rfl
theorem dropWhile_cons {p : α → Bool} {a : α} {l : List α} : dropWhile p (a :: l) = if p a then dropWhile p l else a :: l := by
  show (match p a with | true => dropWhile p l | false => a :: l) = _; cases p a <;> rfl
@[simp] theorem dropWhile_cons_of_pos {p : α → Bool} {a : α} {l : List α} (h : p a = true) : dropWhile p (a :: l) = dropWhile p l := by rw [dropWhile_cons, if_pos h]
@[simp] theorem dropWhile_cons_of_neg {p : α → Bool} {a : α} {l : List α} (h : ¬p a = true) : dropWhile p (a :: l) = a :: l := by rw [dropWhile_cons, if_neg h]
theorem takeWhile_append_dropWhile {p : α → Bool} {l : List α} : takeWhile p l ++ dropWhile p l = l := by
  induction l with
  | nil => rfl
  | cons a l ih => by_cases h : p a = true <;> simp [h, ih]
attribute [simp] takeWhile_append_dropWhile
theorem countP_go_eq_add (p : α → Bool) (l : List α) : ∀ n, countP.go p l n = n + countP.go p l 0 := by
  induction l with
  | nil => exact fun _ => rfl
  | cons a l ih =>
    intro n
    show (bif p a then countP.go p l (n + 1) else countP.go p l n) = n + (bif p a then countP.go p l (0 + 1) else countP.go p l 0)
    cases p a with
    | true => show countP.go p l (n + 1) = n + countP.go p l (0 + 1); rw [ih (n + 1), ih (0 + 1)]; omega
    | false => exact ih n
@[simp] theorem countP_nil {p : α → Bool} : countP p [] = 0 := rfl
theorem countP_cons {p : α → Bool} {a : α} {l : List α} : countP p (a :: l) = countP p l + if p a then 1 else 0 := by
  show (bif p a then countP.go p l (0 + 1) else countP.go p l 0) = countP.go p l 0 + _
  cases p a with
  | true => show countP.go p l (0 + 1) = _ + 1; rw [countP_go_eq_add]; omega
  | false => rfl
@[simp] theorem count_nil [BEq α] {a : α} : count a [] = 0 := rfl
theorem count_cons [BEq α] {a b : α} {l : List α} : count a (b :: l) = count a l + if b == a then 1 else 0 := countP_cons
@[simp] theorem countP_append {p : α → Bool} {l₁ l₂ : List α} : countP p (l₁ ++ l₂) = countP p l₁ + countP p l₂ := by
  induction l₁ with
  | nil => simp
  | cons a l ih => simp [countP_cons, ih]; omega
@[simp] theorem count_append [BEq α] {a : α} {l₁ l₂ : List α} : count a (l₁ ++ l₂) = count a l₁ + count a l₂ := countP_append
theorem countP_eq_length_filter {p : α → Bool} {l : List α} : countP p l = (filter p l).length := by
  induction l with
  | nil => rfl
  | cons a l ih => by_cases h : p a = true <;> simp [countP_cons, h, ih]
@[simp] theorem pairwise_cons {R : α → α → Prop} {a : α} {l : List α} : Pairwise R (a :: l) ↔ (∀ a', a' ∈ l → R a a') ∧ Pairwise R l :=
  ⟨fun h => by cases h with | cons h₁ h₂ => exact ⟨h₁, h₂⟩, fun h => .cons h.1 h.2⟩
theorem nodup_nil : Nodup ([] : List α) := .nil
@[simp] theorem nodup_cons {a : α} {l : List α} : Nodup (a :: l) ↔ a ∉ l ∧ Nodup l := by
  show Pairwise _ _ ↔ _ ∧ Pairwise _ _
  rw [pairwise_cons]; exact ⟨fun h => ⟨fun m => h.1 a m rfl, h.2⟩, fun h => ⟨fun b m e => h.1 (e ▸ m), h.2⟩⟩
instance instDecidablePairwise {R : α → α → Prop} [DecidableRel R] : (l : List α) → Decidable (Pairwise R l)
  | [] => isTrue .nil
  | a :: l => match (inferInstance : Decidable (∀ x, x ∈ l → R a x)), instDecidablePairwise l with
    | isTrue h, isTrue h' => isTrue (.cons h h')
    | isFalse h, _ => isFalse fun p => h (pairwise_cons.1 p).1
    | _, isFalse h => isFalse fun p => h (pairwise_cons.1 p).2
instance [DecidableEq α] : (l : List α) → Decidable (Nodup l) := fun l => instDecidablePairwise l
attribute [simp] Perm.nil
@[simp, refl] protected theorem Perm.refl (l : List α) : Perm l l := by
  induction l with
  | nil => exact .nil
  | cons a l ih => exact .cons a ih
protected theorem Perm.rfl {l : List α} : Perm l l := .refl l
@[symm] protected theorem Perm.symm {l₁ l₂ : List α} (h : Perm l₁ l₂) : Perm l₂ l₁ := by
  induction h with
  | nil => exact .nil
  | cons a _ ih => exact .cons a ih
  | swap x y l => exact .swap y x l
  | trans _ _ ih₁ ih₂ => exact .trans ih₂ ih₁
theorem Perm.mem_iff {a : α} {l₁ l₂ : List α} (h : Perm l₁ l₂) : a ∈ l₁ ↔ a ∈ l₂ := by
  induction h with
  | nil => exact Iff.rfl
  | cons b _ ih => simp [ih]
  | swap x y l => simp [or_left_comm]
  | trans _ _ ih₁ ih₂ => exact ih₁.trans ih₂
theorem Perm.length_eq {l₁ l₂ : List α} (h : Perm l₁ l₂) : l₁.length = l₂.length := by
  induction h with
  | nil => rfl
  | cons _ _ ih => simp [ih]
  | swap => rfl
  | trans _ _ ih₁ ih₂ => exact ih₁.trans ih₂
@[simp] theorem range'_zero {s step : Nat} : range' s 0 step = [] := rfl
theorem range'_succ {s n step : Nat} : range' s (n + 1) step = s :: range' (s + step) n step := rfl
@[simp] theorem length_range' {s step n : Nat} : (range' s n step).length = n := by
  induction n generalizing s with
  | zero => rfl
  | succ n ih => rw [range'_succ, length_cons, ih]
@[simp] theorem unzip_nil : unzip ([] : List (α × β)) = ([], []) := rfl
@[simp] theorem unzip_cons {h : α × β} {t : List (α × β)} : unzip (h :: t) = (h.1 :: (unzip t).1, h.2 :: (unzip t).2) := rfl
@[simp] theorem zipIdx_nil {i : Nat} : zipIdx ([] : List α) i = [] := rfl
@[simp] theorem zipIdx_cons {a : α} {as : List α} {i : Nat} : zipIdx (a :: as) i = (a, i) :: zipIdx as (i + 1) := rfl
@[simp] theorem nil_subset (l : List α) : [] ⊆ l := fun _ h => absurd h not_mem_nil
theorem foldr_cons_eq_append {l : List α} {f : α → β} {l' : List β} : l.foldr (fun a b => f a :: b) l' = l.map f ++ l' := by
  induction l with
  | nil => rfl
  | cons a l ih => simp [ih]
@[simp] theorem foldr_cons_nil {l : List α} : l.foldr cons [] = l := by
  induction l with
  | nil => rfl
  | cons a l ih => simp [ih]
theorem map_id' (l : List α) : map (fun a => a) l = l := map_id l
attribute [simp] map_id'
theorem map_const' (l : List α) (b : β) : map (fun _ => b) l = replicate l.length b := by
  induction l with
  | nil => rfl
  | cons a l ih => simp [ih, replicate_succ]
theorem append_replicate_replicate {n m : Nat} {a : α} : replicate n a ++ replicate m a = replicate (n + m) a := by
  induction n with
  | zero => simp
  | succ n ih => rw [replicate_succ, cons_append, ih, Nat.add_right_comm, replicate_succ]
@[simp] theorem map_replicate {n : Nat} {a : α} {f : α → β} : (replicate n a).map f = replicate n (f a) := by
  induction n with
  | zero => rfl
  | succ n ih => rw [replicate_succ, map_cons, ih]; rfl
theorem take_of_length_le {l : List α} {i : Nat} (h : l.length ≤ i) : l.take i = l := by
  induction l generalizing i with
  | nil => simp
  | cons a l ih => cases i with
    | zero => simp at h
    | succ i => rw [take_succ_cons, ih (Nat.le_of_succ_le_succ h)]
theorem drop_of_length_le {l : List α} {i : Nat} (h : l.length ≤ i) : l.drop i = [] := by
  induction l generalizing i with
  | nil => simp
  | cons a l ih => cases i with
    | zero => simp at h
    | succ i => rw [drop_succ_cons, ih (Nat.le_of_succ_le_succ h)]
theorem take_append_of_le_length {l₁ l₂ : List α} {i : Nat} (h : i ≤ l₁.length) : (l₁ ++ l₂).take i = l₁.take i := by
  induction l₁ generalizing i with
  | nil => rw [Nat.le_zero.1 h]; rfl
  | cons a l ih => cases i with
    | zero => rfl
    | succ i => rw [cons_append, take_succ_cons, take_succ_cons, ih (Nat.le_of_succ_le_succ h)]
theorem drop_append_of_le_length {l₁ l₂ : List α} {i : Nat} (h : i ≤ l₁.length) : (l₁ ++ l₂).drop i = l₁.drop i ++ l₂ := by
  induction l₁ generalizing i with
  | nil => rw [Nat.le_zero.1 h]; rfl
  | cons a l ih => cases i with
    | zero => rfl
    | succ i => rw [cons_append, drop_succ_cons, drop_succ_cons, ih (Nat.le_of_succ_le_succ h)]
@[simp] theorem take_take {i j : Nat} {l : List α} : (l.take j).take i = l.take (min i j) := by
  induction i generalizing j l with
  | zero => simp
  | succ i ih => cases l with
    | nil => simp
    | cons a l => cases j with
      | zero => simp
      | succ j => rw [take_succ_cons, take_succ_cons, ih, show min (i + 1) (j + 1) = min i j + 1 by omega, take_succ_cons]
@[simp] theorem drop_drop {i j : Nat} {l : List α} : drop i (drop j l) = drop (j + i) l := by
  induction j generalizing l with
  | zero => simp
  | succ j ih => cases l with
    | nil => simp
    | cons a l => rw [drop_succ_cons, ih, Nat.add_right_comm, drop_succ_cons]
attribute [simp] append_right_inj append_left_inj
@[simp] theorem filter_true (l : List α) : filter (fun _ => true) l = l := by
  induction l with
  | nil => rfl
  | cons a l ih => simp [ih]
@[simp] theorem filter_false (l : List α) : filter (fun _ => false) l = [] := by
  induction l with
  | nil => rfl
  | cons a l ih => simp [ih]
theorem head_eq_of_cons_eq {a b : α} {l l' : List α} (h : a :: l = b :: l') : a = b := (cons_eq_cons.1 h).1
theorem tail_eq_of_cons_eq {a b : α} {l l' : List α} (h : a :: l = b :: l') : l = l' := (cons_eq_cons.1 h).2
theorem sum_append_nat {l₁ l₂ : List Nat} : (l₁ ++ l₂).sum = l₁.sum + l₂.sum := by
  induction l₁ with
  | nil => simp
  | cons a l ih => simp [ih, Nat.add_assoc]
attribute [simp] sum_append_nat
end List
