prelude
import Init.Access
import Init.ListFunctions
import Init.Monads
/-! Functions on arrays, defined through the list of their elements. -/
set_option linter.all false
open Lean.Native
universe u v w
variable {α : Type u} {β : Type v}
namespace Array
@[ext] theorem ext' {xs ys : Array α} (h : xs.toList = ys.toList) : xs = ys := by cases xs; cases ys; cases h; rfl
@[simp] theorem toList_toArray (l : List α) : l.toArray.toList = l := rfl
@[simp] theorem size_toArray (l : List α) : l.toArray.size = l.length := rfl
@[simp] theorem length_toList {xs : Array α} : xs.toList.length = xs.size := rfl
theorem push_toList {xs : Array α} {a : α} : (xs.push a).toList = xs.toList ++ [a] := List.concat_eq_append xs.toList a
@[simp] theorem toList_push {xs : Array α} {a : α} : (xs.push a).toList = xs.toList ++ [a] := push_toList
@[simp] theorem size_push {xs : Array α} (v : α) : (xs.push v).size = xs.size + 1 := by
  show (xs.push v).toList.length = xs.toList.length + 1; rw [push_toList, List.length_append]; rfl
@[simp] theorem size_empty : (#[] : Array α).size = 0 := rfl
theorem foldl_push_toList (l : List α) (xs : Array α) : (l.foldl (fun r a => r.push a) xs).toList = xs.toList ++ l := by
  induction l generalizing xs with
  | nil => simp
  | cons a l ih => rw [List.foldl_cons, ih, push_toList, List.append_assoc]; rfl
@[simp] theorem toList_append {xs ys : Array α} : (xs ++ ys).toList = xs.toList ++ ys.toList := foldl_push_toList ys.toList xs
@[simp] theorem size_append {xs ys : Array α} : (xs ++ ys).size = xs.size + ys.size := by
  show (xs ++ ys).toList.length = _; rw [toList_append, List.length_append]; rfl
inductive Mem (as : Array α) (a : α) : Prop where
  | mk : a ∈ as.toList → Mem as a
instance : Membership α (Array α) := ⟨Mem⟩
theorem mem_def {a : α} {as : Array α} : a ∈ as ↔ a ∈ as.toList := ⟨fun h => h.1, .mk⟩
@[simp] theorem mem_toArray {a : α} {l : List α} : a ∈ l.toArray ↔ a ∈ l := mem_def
@[simp] theorem mem_toList_iff {a : α} {as : Array α} : a ∈ as.toList ↔ a ∈ as := mem_def.symm
instance [DecidableEq α] (a : α) (as : Array α) : Decidable (a ∈ as) := decidable_of_iff _ mem_def.symm
@[simp] theorem mem_push {a b : α} {xs : Array α} : a ∈ xs.push b ↔ a ∈ xs ∨ a = b := by rw [mem_def, mem_def, push_toList, List.mem_append, List.mem_singleton]
@[inline] def isEmpty (a : Array α) : Bool := a.size = 0
@[inline] def singleton (v : α) : Array α := #[v]
def foldl (f : β → α → β) (init : β) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : β := ((as.toList.take stop).drop start).foldl f init
def foldr (f : α → β → β) (init : β) (as : Array α) (start : Nat := as.size) (stop : Nat := 0) : β := ((as.toList.take start).drop stop).foldr f init
def filter (p : α → Bool) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : Array α := (((as.toList.take stop).drop start).filter p).toArray
def filterMap (f : α → Option β) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : Array β := (((as.toList.take stop).drop start).filterMap f).toArray
def any (as : Array α) (p : α → Bool) (start : Nat := 0) (stop : Nat := as.size) : Bool := ((as.toList.take stop).drop start).any p
def all (as : Array α) (p : α → Bool) (start : Nat := 0) (stop : Nat := as.size) : Bool := ((as.toList.take stop).drop start).all p
def contains [BEq α] (as : Array α) (a : α) : Bool := as.toList.contains a
def find? (p : α → Bool) (as : Array α) : Option α := as.toList.find? p
def reverse (as : Array α) : Array α := as.toList.reverse.toArray
def pop (xs : Array α) : Array α := xs.toList.dropLast.toArray
def back? (xs : Array α) : Option α := xs.toList.getLast?
def set (xs : Array α) (i : Nat) (v : α) (h : i < xs.size := by get_elem_tactic) : Array α := (xs.toList.set i v).toArray
def set! (xs : Array α) (i : Nat) (v : α) : Array α := (xs.toList.set i v).toArray
def setIfInBounds (xs : Array α) (i : Nat) (v : α) : Array α := (xs.toList.set i v).toArray
def modify (xs : Array α) (i : Nat) (f : α → α) : Array α := match xs[i]? with | some a => xs.set! i (f a) | none => xs
def replicate (n : Nat) (v : α) : Array α := (List.replicate n v).toArray
def range (n : Nat) : Array Nat := (List.range n).toArray
def zip (as : Array α) (bs : Array β) : Array (α × β) := (as.toList.zip bs.toList).toArray
def flatMap (f : α → Array β) (as : Array α) : Array β := (as.toList.flatMap fun a => (f a).toList).toArray
@[simp] theorem foldl_toList (f : β → α → β) {init : β} {xs : Array α} : xs.toList.foldl f init = xs.foldl f init := by
  show _ = ((xs.toList.take xs.toList.length).drop 0).foldl f init; rw [List.take_length]; rfl
@[simp] theorem foldr_toList (f : α → β → β) {init : β} {xs : Array α} : xs.toList.foldr f init = xs.foldr f init := by
  show _ = ((xs.toList.take xs.toList.length).drop 0).foldr f init; rw [List.take_length]; rfl
@[simp] theorem toList_map {f : α → β} {xs : Array α} : (xs.map f).toList = xs.toList.map f := rfl
@[simp] theorem size_map {f : α → β} {xs : Array α} : (xs.map f).size = xs.size := List.length_map f
@[simp] theorem toList_reverse {xs : Array α} : xs.reverse.toList = xs.toList.reverse := rfl
@[simp] theorem size_reverse {xs : Array α} : xs.reverse.size = xs.size := List.length_reverse
@[simp] theorem size_set {xs : Array α} {i : Nat} {v : α} (h : i < xs.size) : (xs.set i v h).size = xs.size := List.length_set
@[simp] theorem size_set! {xs : Array α} {i : Nat} {v : α} : (xs.set! i v).size = xs.size := List.length_set
@[simp] theorem size_replicate {n : Nat} {v : α} : (replicate n v).size = n := List.length_replicate
@[simp] theorem size_range {n : Nat} : (range n).size = n := List.length_range
instance {m : Type u → Type v} [Monad m] {α : Type w} : ForM m (Array α) α := ⟨fun xs f => xs.toList.forM f⟩
@[simp] theorem getElem_toList {xs : Array α} {i : Nat} (h : i < xs.size) : xs.toList[i] = xs[i] := rfl
theorem getElem_mem {xs : Array α} {i : Nat} (h : i < xs.size) : xs[i] ∈ xs := mem_def.2 (List.getElem_mem h)
end Array
