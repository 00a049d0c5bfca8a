prelude
import Init.ListFunctions
import Init.NatDivision
import Init.FinBasics
import Init.Propositions
/-! Fixed-width unsigned integers, characters and strings. -/
set_option linter.all false
open Lean.Native
universe u v w
namespace BitVec
variable {w : Nat}
theorem eq_of_toNat_eq : {x y : BitVec w} → x.toNat = y.toNat → x = y
  | ⟨⟨_, _⟩⟩, ⟨⟨_, _⟩⟩, rfl => rfl
theorem toNat_inj {x y : BitVec w} : x.toNat = y.toNat ↔ x = y := ⟨eq_of_toNat_eq, congrArg _⟩
instance : DecidableEq (BitVec w) := fun x y => if h : x.toNat = y.toNat then isTrue (eq_of_toNat_eq h) else isFalse fun e => h (congrArg _ e)
@[match_pattern] protected def ofNat (w : Nat) (x : Nat) : BitVec w := ⟨⟨x % 2 ^ w, Nat.mod_lt x (Nat.two_pow_pos w)⟩⟩
@[match_pattern] protected def ofNatLT {w : Nat} (x : Nat) (h : x < 2 ^ w) : BitVec w := ⟨⟨x, h⟩⟩
instance instOfNat (n : Nat) : OfNat (BitVec w) n := ⟨BitVec.ofNat w n⟩
protected def add (x y : BitVec w) : BitVec w := .ofNat w (x.toNat + y.toNat)
protected def sub (x y : BitVec w) : BitVec w := .ofNat w ((2 ^ w - y.toNat) + x.toNat)
protected def mul (x y : BitVec w) : BitVec w := .ofNat w (x.toNat * y.toNat)
protected def neg (x : BitVec w) : BitVec w := .ofNat w (2 ^ w - x.toNat)
protected def udiv (x y : BitVec w) : BitVec w := .ofNat w (x.toNat / y.toNat)
protected def umod (x y : BitVec w) : BitVec w := .ofNat w (x.toNat % y.toNat)
protected def and (x y : BitVec w) : BitVec w := .ofNat w (x.toNat &&& y.toNat)
protected def or (x y : BitVec w) : BitVec w := .ofNat w (x.toNat ||| y.toNat)
protected def xor (x y : BitVec w) : BitVec w := .ofNat w (x.toNat ^^^ y.toNat)
instance : Add (BitVec w) := ⟨BitVec.add⟩
instance : Sub (BitVec w) := ⟨BitVec.sub⟩
instance : Mul (BitVec w) := ⟨BitVec.mul⟩
instance : Neg (BitVec w) := ⟨BitVec.neg⟩
instance : Div (BitVec w) := ⟨BitVec.udiv⟩
instance : Mod (BitVec w) := ⟨BitVec.umod⟩
instance : AndOp (BitVec w) := ⟨BitVec.and⟩
instance : OrOp (BitVec w) := ⟨BitVec.or⟩
instance : XorOp (BitVec w) := ⟨BitVec.xor⟩
instance : LT (BitVec w) := ⟨fun x y => x.toNat < y.toNat⟩
instance : LE (BitVec w) := ⟨fun x y => x.toNat ≤ y.toNat⟩
instance (x y : BitVec w) : Decidable (x < y) := inferInstanceAs (Decidable (x.toNat < y.toNat))
instance (x y : BitVec w) : Decidable (x ≤ y) := inferInstanceAs (Decidable (x.toNat ≤ y.toNat))
parsers term_parser : «term__#__»
macros Data.BitVec.Basic : «term__#__»
@[simp] theorem toNat_ofNat (x w : Nat) : (BitVec.ofNat w x).toNat = x % 2 ^ w := rfl
theorem toNat_add (x y : BitVec w) : (x + y).toNat = (x.toNat + y.toNat) % 2 ^ w := rfl
theorem toNat_mul (x y : BitVec w) : (x * y).toNat = (x.toNat * y.toNat) % 2 ^ w := rfl
theorem toNat_sub (x y : BitVec w) : (x - y).toNat = ((2 ^ w - y.toNat) + x.toNat) % 2 ^ w := rfl
theorem lt_def {x y : BitVec w} : x < y ↔ x.toNat < y.toNat := Iff.rfl
theorem le_def {x y : BitVec w} : x ≤ y ↔ x.toNat ≤ y.toNat := Iff.rfl
instance : Repr (BitVec w) := ⟨fun a _ => Std.Format.text (toString a.toNat ++ "#" ++ toString w)⟩
instance : ToString (BitVec w) := ⟨fun a => toString a.toNat ++ "#" ++ toString w⟩
end BitVec

/-! `UInt8` to `UInt64`: one command declares the same things for each width. -/
local syntax "unsigned " ident num : command
local macro_rules
  | `(unsigned $type $width) =>
    let same := Lean.mkIdent `eq_of_toBitVec_eq
    `(namespace $type
      protected theorem $same:ident : {a b : $type} → a.toBitVec = b.toBitVec → a = b
        | ⟨_⟩, ⟨_⟩, rfl => rfl
      instance : DecidableEq $type := fun a b => if h : a.toBitVec = b.toBitVec then isTrue ($(Lean.mkIdent (.str type.getId "eq_of_toBitVec_eq")) h) else isFalse fun e => h (congrArg _ e)
      instance : LT $type := ⟨fun a b => a.toBitVec < b.toBitVec⟩
      instance : LE $type := ⟨fun a b => a.toBitVec ≤ b.toBitVec⟩
      instance (a b : $type) : Decidable (a < b) := inferInstanceAs (Decidable (a.toBitVec < b.toBitVec))
      instance (a b : $type) : Decidable (a ≤ b) := inferInstanceAs (Decidable (a.toBitVec ≤ b.toBitVec))
      instance : Add $type := ⟨fun a b => ⟨a.toBitVec + b.toBitVec⟩⟩
      instance : Sub $type := ⟨fun a b => ⟨a.toBitVec - b.toBitVec⟩⟩
      instance : Mul $type := ⟨fun a b => ⟨a.toBitVec * b.toBitVec⟩⟩
      instance : Div $type := ⟨fun a b => ⟨a.toBitVec / b.toBitVec⟩⟩
      instance : Mod $type := ⟨fun a b => ⟨a.toBitVec % b.toBitVec⟩⟩
      instance : Repr $type := ⟨fun a p => reprPrec a.toBitVec.toNat p⟩
      instance : ToString $type := ⟨fun a => toString a.toBitVec.toNat⟩
      end $type)
unsigned UInt8 8
unsigned UInt16 16
unsigned UInt32 32
unsigned UInt64 64
@[extern "lean_uint8_of_nat"] def UInt8.ofNat (n : @& Nat) : UInt8 := ⟨BitVec.ofNat 8 n⟩
@[extern "lean_uint16_of_nat"] def UInt16.ofNat (n : @& Nat) : UInt16 := ⟨BitVec.ofNat 16 n⟩
@[extern "lean_uint32_of_nat"] def UInt32.ofNat (n : @& Nat) : UInt32 := ⟨BitVec.ofNat 32 n⟩
@[extern "lean_uint8_to_nat"] def UInt8.toNat (n : UInt8) : Nat := n.toBitVec.toNat
@[extern "lean_uint16_to_nat"] def UInt16.toNat (n : UInt16) : Nat := n.toBitVec.toNat
@[extern "lean_uint64_to_nat"] def UInt64.toNat (n : UInt64) : Nat := n.toBitVec.toNat
instance UInt8.instOfNat (n : Nat) : OfNat UInt8 n := ⟨UInt8.ofNat n⟩
instance UInt16.instOfNat (n : Nat) : OfNat UInt16 n := ⟨UInt16.ofNat n⟩
instance UInt32.instOfNat (n : Nat) : OfNat UInt32 n := ⟨UInt32.ofNat n⟩

/-! characters -/
namespace Char
protected def lt (a b : Char) : Prop := a.val < b.val
protected def le (a b : Char) : Prop := a.val ≤ b.val
instance : LT Char := ⟨Char.lt⟩
instance : LE Char := ⟨Char.le⟩
instance (a b : Char) : Decidable (a < b) := inferInstanceAs (Decidable (a.val < b.val))
instance (a b : Char) : Decidable (a ≤ b) := inferInstanceAs (Decidable (a.val ≤ b.val))
@[inline] def isWhitespace (c : Char) : Bool := c == ' ' || c == '\t' || c == '\r' || c == '\n'
@[inline] def isUpper (c : Char) : Bool := decide (c.val ≥ 65) && decide (c.val ≤ 90)
@[inline] def isLower (c : Char) : Bool := decide (c.val ≥ 97) && decide (c.val ≤ 122)
@[inline] def isAlpha (c : Char) : Bool := c.isUpper || c.isLower
@[inline] def isDigit (c : Char) : Bool := decide (c.val ≥ 48) && decide (c.val ≤ 57)
@[inline] def isAlphanum (c : Char) : Bool := c.isAlpha || c.isDigit
def toLower (c : Char) : Char := if c.isUpper then ofNat (c.toNat + 32) else c
def toUpper (c : Char) : Char := if c.isLower then ofNat (c.toNat - 32) else c
protected def toString (c : Char) : String := String.ofList [c]
@[extern "c"] opaque quote (c : Char) : String
instance : ToString Char := ⟨Char.toString⟩
instance : Repr Char := ⟨fun c _ => .text c.quote⟩
instance : ReprAtom Char := ⟨⟩
instance : Hashable Char := ⟨fun c => UInt64.ofNat c.toNat⟩
instance : Ord Char := ⟨fun a b => compareOfLessAndEq a b⟩
theorem ext : {a b : Char} → a.val = b.val → a = b
  | ⟨_, _⟩, ⟨_, _⟩, rfl => rfl
attribute [ext] ext
end Char

/-! strings -/
namespace String
@[simp] theorem toList_ofList (l : List Char) : (ofList l).toList = l := rfl
@[simp] theorem ofList_toList (s : String) : ofList s.toList = s := rfl
@[ext] theorem ext {s t : String} (h : s.toList = t.toList) : s = t := eq_of_toList h
theorem toList_inj {s t : String} : s.toList = t.toList ↔ s = t := ⟨ext, congrArg _⟩
@[extern "lean_string_push"] def push (s : String) (c : Char) : String := ofList (s.toList ++ [c])
@[inline] def singleton (c : Char) : String := "".push c
@[inline] def isEmpty (s : String) : Bool := s.length == 0
@[inline] def join (l : List String) : String := l.foldl (fun r s => r ++ s) ""
def intercalate (s : String) : List String → String
  | [] => ""
  | a :: as => go a s as
where go (acc : String) (s : String) : List String → String
  | a :: as => go (acc ++ s ++ a) s as
  | [] => acc
def map (f : Char → Char) (s : String) : String := ofList (s.toList.map f)
def any (s : String) (p : Char → Bool) : Bool := s.toList.any p
def all (s : String) (p : Char → Bool) : Bool := s.toList.all p
def contains (s : String) (c : Char) : Bool := s.any (· == c)
def foldl {α : Type u} (f : α → Char → α) (init : α) (s : String) : α := s.toList.foldl f init
def toUpper (s : String) : String := s.map Char.toUpper
def toLower (s : String) : String := s.map Char.toLower
def pushn (s : String) (c : Char) : Nat → String
  | 0 => s
  | n+1 => (s.push c).pushn c n
def isNat (s : String) : Bool := !s.isEmpty && s.all Char.isDigit
def toNat? (s : String) : Option Nat := if s.isNat then some (s.foldl (fun n c => n * 10 + (c.toNat - 48)) 0) else none
def toNat! (s : String) : Nat := s.toNat?.getD 0
@[simp] theorem toList_append {s t : String} : (s ++ t).toList = s.toList ++ t.toList := rfl
@[simp] theorem toList_empty : "".toList = [] := rfl
@[simp] theorem length_toList {s : String} : s.toList.length = s.length := rfl
@[simp] theorem length_append {s t : String} : (s ++ t).length = s.length + t.length := List.length_append
@[simp] theorem length_empty : "".length = 0 := rfl
@[simp] theorem length_push {s : String} (c : Char) : (s.push c).length = s.length + 1 := by
  show (s.toList ++ [c]).length = _; rw [List.length_append]; rfl
@[simp] theorem append_empty {s : String} : s ++ "" = s := ext (List.append_nil _)
@[simp] theorem empty_append {s : String} : "" ++ s = s := ext (List.nil_append _)
theorem append_assoc {s t u : String} : s ++ t ++ u = s ++ (t ++ u) := ext (List.append_assoc _ _ _)
instance : Std.Associative (α := String) (· ++ ·) := ⟨fun _ _ _ => append_assoc⟩
instance : LT String := ⟨fun s t => List.compareLex compare s.toList t.toList = .lt⟩
instance (s t : String) : Decidable (s < t) := inferInstanceAs (Decidable (_ = _))
instance : Ord String := ⟨fun s t => List.compareLex compare s.toList t.toList⟩
end String
