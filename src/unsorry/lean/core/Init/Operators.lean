prelude
import Init.SyntaxSugar
/-! Infix and prefix operators.  One line of the local command `operator` declares the syntax, its expansion and its
pretty printing; the two functions behind it work for all operators, so that a line costs little to compile. -/
set_option linter.all false
namespace Lean.Operator
open Syntax
/-- expand to `fn x y`, where the operands are the children with these indices -/
def applied (fn : Name) (operands : List Nat) : Macro := fun stx =>
  bind MonadRef.mkInfoFromRefPos fun info => pure (node2 info `Lean.Parser.Term.app (mkCIdentFrom stx fn).raw
    (.node info nullKind (List.toArray (operands.map stx.getArg))))
/-- expand to `keyword fn x y`, a node that the elaborator of `keyword` treats together with its neighbours in the tree -/
def elaborated (keyword : String) (kind fn : Name) (operands : List Nat) : Macro := fun stx =>
  bind MonadRef.mkInfoFromRefPos fun info => pure (.node info kind
    (List.toArray (.cons (.atom info keyword) (.cons (mkCIdentFrom stx fn).raw (operands.map stx.getArg)))))
/-- arguments of an application; the first `n` are passed on, those left over stay arguments of the result -/
def unexpand (n : Nat) (build : SourceInfo → List Syntax → Syntax) : PrettyPrinter.Unexpander := fun stx =>
  match stx.getArgs.toList with
  | .cons fn (.cons args .nil) =>
    let info := SourceInfo.fromRef fn
    let args := args.getArgs
    match Nat.decLt args.size n, Nat.decEq args.size n with
    | isTrue _, _ => throw ()
    | _, isTrue _ => pure (build info args.toList)
    | _, _ => pure (node2 .none `Lean.Parser.Term.app (build info (args.extract 0 n).toList)
        (mkNullNode (args.extract n args.size)))
  | _ => throw ()
def infixNode (kind : Name) (token : String) (info : SourceInfo) : List Syntax → Syntax
  | .cons x (.cons y _) => node3 info kind x (.atom info token) y
  | _ => .missing
def prefixNode (kind : Name) (token : String) (info : SourceInfo) : List Syntax → Syntax
  | .cons x _ => node2 info kind (.atom info token) x
  | _ => .missing
def postfixNode (kind : Name) (token : String) (info : SourceInfo) : List Syntax → Syntax
  | .cons x _ => node2 info kind x (.atom info token)
  | _ => .missing
abbrev unexpandInfix (token : String) (kind : Name) := unexpand 2 (infixNode kind token)
abbrev unexpandPrefix (token : String) (kind : Name) := unexpand 1 (prefixNode kind token)
abbrev unexpandPostfix (token : String) (kind : Name) := unexpand 1 (postfixNode kind token)
abbrev binop (fn : Name) : Macro := elaborated "binop%" `Lean.Parser.Term.binop fn (.cons 0 (.cons 2 .nil))
abbrev binopLazy (fn : Name) : Macro := elaborated "binop_lazy%" `Lean.Parser.Term.binop_lazy fn (.cons 0 (.cons 2 .nil))
abbrev rightact (fn : Name) : Macro := elaborated "rightact%" `Lean.Parser.Term.rightact fn (.cons 0 (.cons 2 .nil))
abbrev leftact (fn : Name) : Macro := elaborated "leftact%" `Lean.Parser.Term.leftact fn (.cons 0 (.cons 2 .nil))
abbrev unop (fn : Name) : Macro := elaborated "unop%" `Lean.Parser.Term.unop fn (.cons 1 .nil)
abbrev binrel (fn : Name) : Macro := elaborated "binrel%" `Lean.Parser.Term.binrel fn (.cons 0 (.cons 2 .nil))
abbrev binrelBool (fn : Name) : Macro := elaborated "binrel_no_prop%" `Lean.Parser.Term.binrel_no_prop fn (.cons 0 (.cons 2 .nil))
abbrev function (fn : Name) : Macro := applied fn (.cons 0 (.cons 2 .nil))
abbrev swapped (fn : Name) : Macro := applied fn (.cons 2 (.cons 0 .nil))
abbrev prefixFunction (fn : Name) : Macro := applied fn (.cons 1 .nil)
abbrev postfixFunction (fn : Name) : Macro := applied fn (.cons 0 .nil)
/-- the term that denotes a name -/
def quoteName : Name → Term
  | .str .anonymous s => Syntax.mkApp (mkCIdent `Lean.Name.mkSimple) (TSyntaxArray.mk (Array.mkArray1 (Syntax.mkStrLit s).raw))
  | .str p s => Syntax.mkApp (mkCIdent `Lean.Name.mkStr) (TSyntaxArray.mk (Array.mkArray2 (quoteName p).raw (Syntax.mkStrLit s).raw))
  | _ => mkCIdent `Lean.Name.anonymous
def declName (kind : Ident) (suffix : Name) : TSyntax `Lean.Parser.Command.declId :=
  ⟨node2 .none `Lean.Parser.Command.declId (mkIdent (Name.append kind.getId suffix)).raw (mkNullNode Array.empty)⟩
end Lean.Operator
open Lean Operator PrettyPrinter
local syntax "unexpander " ident term:max ident : command
local macro_rules
  | `(unexpander $kind $display $fn) =>
    `(@[app_unexpander $fn] def $(declName kind `unexpand):declId : Unexpander := $display $(quoteName kind.getId))
/-- `infix_operator NODE : PRECEDENCE LEFT "token" RIGHT => EXPANSION FUNCTION` -/
local syntax "infix_operator " ident ":" num num str num " => " ident ident : command
local macro_rules
  | `(infix_operator $kind : $p $l $token $r => $expansion $fn) =>
    `(syntax:$p (name := $kind) term:$l $token:str term:$r : term
      @[macro $kind] def $(declName kind `expand):declId : Macro := $expansion $(quoteName fn.getId)
      unexpander $kind (unexpandInfix $token) $fn)
/-- `prefix_operator NODE : PRECEDENCE "token" RIGHT => EXPANSION FUNCTION` -/
local syntax "prefix_operator " ident ":" num str num " => " ident ident : command
local macro_rules
  | `(prefix_operator $kind : $p $token $r => $expansion $fn) =>
    `(syntax:$p (name := $kind) $token:str term:$r : term
      @[macro $kind] def $(declName kind `expand):declId : Macro := $expansion $(quoteName fn.getId)
      unexpander $kind (unexpandPrefix $token) $fn)

infix_operator «term_∘_» : 90 91 " ∘ " 90 => function Function.comp
infix_operator «term_×_» : 35 36 " × " 35 => function Prod
infix_operator «term_×'_» : 35 36 " ×' " 35 => function PProd
infix_operator «term_∣_» : 50 51 " ∣ " 51 => function Dvd.dvd
infix_operator «term_|||_» : 55 55 " ||| " 56 => binop HOr.hOr
infix_operator «term_^^^_» : 58 58 " ^^^ " 59 => binop HXor.hXor
infix_operator «term_&&&_» : 60 60 " &&& " 61 => binop HAnd.hAnd
infix_operator «term_+_» : 65 65 " + " 66 => binop HAdd.hAdd
infix_operator «term_-_» : 65 65 " - " 66 => binop HSub.hSub
infix_operator «term_*_» : 70 70 " * " 71 => binop HMul.hMul
infix_operator «term_/_» : 70 70 " / " 71 => binop HDiv.hDiv
infix_operator «term_%_» : 70 70 " % " 71 => binop HMod.hMod
infix_operator «term_<<<_» : 75 75 " <<< " 76 => function HShiftLeft.hShiftLeft
infix_operator «term_>>>_» : 75 75 " >>> " 76 => function HShiftRight.hShiftRight
infix_operator «term_^_» : 80 81 " ^ " 80 => rightact HPow.hPow
infix_operator «term_++_» : 65 65 " ++ " 66 => binop HAppend.hAppend
infix_operator «term_•_» : 73 74 " • " 73 => leftact HSMul.hSMul
prefix_operator «term-_» : 75 "-" 75 => unop Neg.neg
prefix_operator «term~~~_» : 100 "~~~" 100 => prefixFunction Complement.complement
syntax:max (name := «term_⁻¹») term:max "⁻¹" : term
@[macro «term_⁻¹»] def «term_⁻¹».expand : Macro := postfixFunction `Inv.inv
@[app_unexpander Inv.inv] def «term_⁻¹».unexpand : Unexpander := unexpandPostfix "⁻¹" `«term_⁻¹»
infix_operator «term_<_» : 50 51 " < " 51 => binrel LT.lt
infix_operator «term_>_» : 50 51 " > " 51 => binrel GT.gt
infix_operator «term_=_» : 50 51 " = " 51 => binrel Eq
infix_operator «term_==_» : 50 51 " == " 51 => binrelBool BEq.beq
infix_operator «term_≠_» : 50 51 " ≠ " 51 => binrel Ne
infix_operator «term_≍_» : 50 51 " ≍ " 51 => function HEq
@[inline] def bne {α : Type u} [BEq α] (a b : α) : Bool := not (BEq.beq a b)
infix_operator «term_!=_» : 50 51 " != " 51 => binrelBool bne
infix_operator «term_&&_» : 35 35 " && " 36 => function Bool.and
infix_operator «term_||_» : 30 30 " || " 31 => function Bool.or
prefix_operator «term¬_» : 1024 "¬" 40 => prefixFunction Not
prefix_operator «term!_» : 1024 "!" 40 => prefixFunction Bool.not
infix_operator «term_::_» : 67 68 " :: " 67 => function List.cons
infix_operator «term_<|>_» : 20 21 " <|> " 20 => binopLazy HOrElse.hOrElse
infix_operator «term_>>_» : 60 61 " >> " 60 => binopLazy HAndThen.hAndThen
infix_operator «term_>>=_» : 55 55 " >>= " 56 => function Bind.bind
infix_operator «term_<*>_» : 60 60 " <*> " 61 => function Seq.seq
infix_operator «term_<$>_» : 100 101 " <$> " 100 => function Functor.map
/-! operators with two spellings, and those whose operands are exchanged -/
local syntax "unicode_operator " ident ":" num num str str num " => " ident ident : command
local macro_rules
  | `(unicode_operator $kind : $p $l $token $ascii $r => $expansion $fn) =>
    `(syntax:$p (name := $kind) term:$l unicode($token, $ascii) term:$r : term
      @[macro $kind] def $(declName kind `expand):declId : Macro := $expansion $(quoteName fn.getId)
      unexpander $kind (unexpandInfix $token) $fn)
unicode_operator «term_≤_» : 50 51 " ≤ " " <= " 51 => binrel LE.le
unicode_operator «term_≥_» : 50 51 " ≥ " " >= " 51 => binrel GE.ge
unicode_operator «term_∧_» : 35 36 " ∧ " " /\\ " 35 => function And
unicode_operator «term_∨_» : 30 31 " ∨ " " \\/ " 30 => function Or
structure Iff (a b : Prop) : Prop where
  intro ::
  mp : a → b
  mpr : b → a
infix_operator «term_<->_» : 20 21 " <-> " 21 => function Iff
infix_operator «term_↔_» : 20 21 " ↔ " 21 => function Iff
syntax:50 (name := «term_∈_») term:50 " ∈ " term:50 : term
syntax:50 (name := «term_∉_») term:50 " ∉ " term:50 : term
@[macro «term_∈_»] def «term_∈_».expand : Macro := swapped ``Membership.mem
@[app_unexpander Membership.mem] def «term_∈_».unexpand : Unexpander := Operator.unexpand 2 fun info l => match l with
  | .cons y (.cons x _) => Syntax.node3 info `«term_∈_» x (.atom info "∈") y
  | _ => .missing
macro_rules | `($x ∉ $y) => `(¬ ($x ∈ $y))
/-- `¬ x ∈ y` prints as `x ∉ y` -/
@[app_unexpander Not] def «term_∉_».unexpand : Unexpander
  | `($_ ($x ∈ $y)) => `($x ∉ $y)
  | _ => throw ()
inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w) : Exists p
inductive Sum (α : Type u) (β : Type v) where
  | inl (val : α) : Sum α β
  | inr (val : β) : Sum α β
infix_operator «term_⊕_» : 30 31 " ⊕ " 30 => function Sum
@[pp_using_anonymous_constructor] structure Sigma {α : Type u} (β : α → Type v) where
  fst : α
  snd : β fst
@[pp_using_anonymous_constructor] structure PSigma {α : Sort u} (β : α → Sort v) where
  fst : α
  snd : β fst

/-! function application operators -/
namespace Lean
/-- append one argument to an application, so that `f x <| y` has the single head `f` -/
def applyTo (f a : Term) : MacroM Syntax :=
  match f with
  | `($head $args*) => do return (← `($head $args* $a)).raw
  | _ => do return (← `($f $a)).raw
end Lean
syntax:min term " <| " term:min : term
syntax:min term " |> " term:min1 : term
syntax:min term atomic(" $" ws) term:min : term
macro_rules | `($f <| $a) => Lean.applyTo f a
macro_rules | `($a |> $f) => Lean.applyTo f a
macro_rules | `($f $ $a) => Lean.applyTo f a
