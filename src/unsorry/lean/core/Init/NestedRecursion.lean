prelude
import Init.ListExtras
/-! Recursion through a list of children: `List.attach` remembers that an element is in the list, and the rules below let
the termination checker use it. -/
set_option linter.all false
open Lean.Native
universe u v w
variable {α : Type u} {β : Type v} {γ : Type w}
namespace List
theorem sizeOf_lt_of_mem [SizeOf α] {a : α} {as : List α} (h : a ∈ as) : sizeOf a < sizeOf as := by
  induction h with
  | head => simp; omega
  | tail _ _ ih => exact Nat.lt_of_lt_of_le ih (by simp)
parsers tactic_parser : tacticSizeOf_list_dec
macros Data.List.BasicAux : tacticSizeOf_list_dec _root_.tacticDecreasing_trivial
def pmap {P : α → Prop} (f : (a : α) → P a → β) : (l : List α) → (∀ a, a ∈ l → P a) → List β
  | [], _ => []
  | a :: l, h => f a (h a (.head l)) :: pmap f l fun b hb => h b (.tail a hb)
def attachWith (l : List α) (P : α → Prop) (h : ∀ x, x ∈ l → P x) : List { x // P x } := pmap Subtype.mk l h
@[inline] def attach (l : List α) : List { x // x ∈ l } := attachWith l _ fun _ => id
def unattach {p : α → Prop} (l : List { x // p x }) : List α := l.map (·.val)
@[simp] theorem pmap_nil {P : α → Prop} (f : (a : α) → P a → β) : pmap f [] (fun _ h => absurd h not_mem_nil) = [] := rfl
@[simp] theorem pmap_cons {P : α → Prop} (f : (a : α) → P a → β) (a : α) (l : List α) (h : ∀ b, b ∈ a :: l → P b) :
    pmap f (a :: l) h = f a (h a (.head l)) :: pmap f l fun b hb => h b (.tail a hb) := rfl
theorem pmap_eq_map {P : α → Prop} (f : α → β) (l : List α) (h : ∀ a, a ∈ l → P a) : pmap (fun a _ => f a) l h = l.map f := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [pmap_cons, map_cons, ih]
theorem map_pmap {P : α → Prop} (g : β → γ) (f : (a : α) → P a → β) (l : List α) (h : ∀ a, a ∈ l → P a) :
    (pmap f l h).map g = pmap (fun a h => g (f a h)) l h := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [pmap_cons, map_cons, ih]; rfl
@[simp] theorem attach_map_val (l : List α) (f : α → β) : (l.attach.map fun x => f x.val) = l.map f :=
  (map_pmap _ _ _ _).trans (pmap_eq_map f l _)
@[simp] theorem unattach_attach (l : List α) : l.attach.unattach = l := (attach_map_val l id).trans (map_id l)
theorem attach_map_subtype_val (l : List α) : l.attach.map Subtype.val = l := unattach_attach l
@[simp] theorem length_pmap {P : α → Prop} {f : (a : α) → P a → β} {l : List α} {h : ∀ a, a ∈ l → P a} : (pmap f l h).length = l.length := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [pmap_cons, length_cons, ih]; rfl
@[simp] theorem length_attach {l : List α} : l.attach.length = l.length := length_pmap
@[wf_preprocess] theorem map_wfParam {xs : List α} {f : α → β} : (wfParam xs).map f = xs.attach.unattach.map f := by simp [wfParam]
@[wf_preprocess] theorem map_unattach {P : α → Prop} {xs : List (Subtype P)} {f : α → β} :
    xs.unattach.map f = xs.map fun ⟨x, h⟩ => binderNameHint x f <| binderNameHint h () <| f (wfParam x) := by simp [wfParam, unattach, Function.comp]; rfl
@[wf_preprocess] theorem foldl_wfParam {xs : List α} {f : β → α → β} {x : β} : (wfParam xs).foldl f x = xs.attach.unattach.foldl f x := by simp [wfParam]
@[wf_preprocess] theorem foldl_unattach {P : α → Prop} {xs : List (Subtype P)} {f : β → α → β} {x : β} :
    xs.unattach.foldl f x = xs.foldl (fun s ⟨x, h⟩ => binderNameHint s f <| binderNameHint x (f s) <| binderNameHint h () <| f s (wfParam x)) x := by
  simp [wfParam, unattach, foldl_map]
@[wf_preprocess] theorem foldr_wfParam {xs : List α} {f : α → β → β} {x : β} : (wfParam xs).foldr f x = xs.attach.unattach.foldr f x := by simp [wfParam]
@[wf_preprocess] theorem foldr_unattach {P : α → Prop} {xs : List (Subtype P)} {f : α → β → β} {x : β} :
    xs.unattach.foldr f x = xs.foldr (fun ⟨x, h⟩ s => binderNameHint x f <| binderNameHint s (f x) <| binderNameHint h () <| f (wfParam x) s) x := by
  simp [wfParam, unattach, foldr_map]
end List
