prelude
import Init.SyntaxTrees
/-! Names for precedences and priorities, and the combinators of the `syntax` command.  Their expansions are built
node by node: a quotation costs ten times as much to compile, and there are many. -/
set_option linter.all false
namespace Lean
@[extern "c"] opaque _root_.Nat.reprFast (n : Nat) : String
protected def _root_.Nat.repr (n : Nat) : String := Nat.reprFast n
/-- expand to a numeral -/
def numeralMacro (digits : String) : Macro := fun _ => pure (Syntax.mkNumLit digits).raw
/-- expand a node to its child number `i` -/
def childMacro (i : Nat) : Macro := fun stx => pure (stx.getArg i)
def precSum (op : Nat → Nat → Nat) (eval : Syntax → MacroM Nat) : Macro := fun stx =>
  bind (eval (stx.getArg 0)) fun x => bind (eval (stx.getArg 2)) fun y => pure (Syntax.mkNumLit (Nat.repr (op x y))).raw
end Lean
open Lean
syntax (name := precMax) "max" : prec
syntax (name := precArg) "arg" : prec
syntax (name := precLead) "lead" : prec
syntax (name := precMin) "min" : prec
syntax (name := precMin1) "min1" : prec
syntax (name := «prec(_)») "(" prec ")" : prec
syntax (name := termMax_prec) "max_prec" : term
syntax (name := prioDefault) "default" : prio
syntax (name := prioLow) "low" : prio
syntax (name := prioMid) "mid" : prio
syntax (name := prioHigh) "high" : prio
syntax (name := «prio(_)») "(" prio ")" : prio
namespace Lean.SugarExpansion
@[macro precMax] def «max» : Macro := numeralMacro "1024"
@[macro precArg] def arg : Macro := numeralMacro "1023"
@[macro precLead] def lead : Macro := numeralMacro "1022"
@[macro precMin] def «min» : Macro := numeralMacro "10"
@[macro precMin1] def min1 : Macro := numeralMacro "11"
@[macro termMax_prec] def maxPrec : Macro := numeralMacro "1024"
@[macro prioDefault] def default : Macro := numeralMacro "1000"
@[macro prioLow] def low : Macro := numeralMacro "100"
@[macro prioMid] def mid : Macro := numeralMacro "500"
@[macro prioHigh] def high : Macro := numeralMacro "10000"
@[macro «prec(_)»] def precParen : Macro := childMacro 1
@[macro «prio(_)»] def prioParen : Macro := childMacro 1
end Lean.SugarExpansion
namespace Lean
syntax:65 (name := Parser.Syntax.addPrec) prec " + " prec:66 : prec
syntax:65 (name := Parser.Syntax.subPrec) prec " - " prec:66 : prec
syntax:65 (name := Parser.Syntax.addPrio) prio " + " prio:66 : prio
syntax:65 (name := Parser.Syntax.subPrio) prio " - " prio:66 : prio
namespace SugarExpansion
@[macro Parser.Syntax.addPrec] def addPrec : Macro := precSum Nat.add evalPrec
@[macro Parser.Syntax.subPrec] def subPrec : Macro := precSum Nat.sub evalPrec
@[macro Parser.Syntax.addPrio] def addPrio : Macro := precSum Nat.add evalPrio
@[macro Parser.Syntax.subPrio] def subPrio : Macro := precSum Nat.sub evalPrio
end SugarExpansion
end Lean

/-! combinators of the `syntax` command -/
syntax:arg (name := «stx_*») stx:max "*" : stx
syntax:arg (name := «stx_+») stx:max "+" : stx
syntax:arg (name := «stx_?») stx:max "?" : stx
syntax:2 (name := «stx_<|>_») stx:2 " <|> " stx:1 : stx
syntax:arg (name := «stx_,*») stx:max ",*" : stx
syntax:arg (name := «stx_,+») stx:max ",+" : stx
syntax:arg (name := «stx_,*,?») stx:max ",*,?" : stx
syntax:arg (name := «stx_,+,?») stx:max ",+,?" : stx
syntax:arg (name := «stx!_») "!" stx:max : stx
namespace Lean.SugarExpansion
open Syntax
def combinator (name : Name) (stx : Syntax) : MacroM Syntax :=
  bind MonadRef.mkInfoFromRefPos fun info => pure (node4 info `Lean.Parser.Syntax.unary
    (mkIdentFrom .missing name).raw (.atom info "(") (node1 info nullKind stx) (.atom info ")"))
@[macro «stx_*»] def star : Macro := fun stx => combinator `many (stx.getArg 0)
@[macro «stx_+»] def plus : Macro := fun stx => combinator `many1 (stx.getArg 0)
@[macro «stx_?»] def opt : Macro := fun stx => combinator `optional (stx.getArg 0)
@[macro «stx!_»] def without : Macro := fun stx => combinator `notFollowedBy (stx.getArg 1)
@[macro «stx_<|>_»] def choice : Macro := fun stx =>
  bind MonadRef.mkInfoFromRefPos fun info => pure (node6 info `Lean.Parser.Syntax.binary
    (mkIdentFrom .missing `orelse).raw (.atom info "(") (node1 info nullKind (stx.getArg 0)) (.atom info ",")
    (node1 info nullKind (stx.getArg 2)) (.atom info ")"))
/-- `sepBy(stx, ",", ", ")`, possibly with a trailing separator -/
def separated (kind : Name) (keyword : String) (trailing : Bool) : Macro := fun stx =>
  bind MonadRef.mkInfoFromRefPos fun info =>
    let comma := Syntax.atom info ","
    let str (s : String) := node1 info strLitKind (.atom info s)
    pure (node7 info kind (.atom info keyword) (node1 info nullKind (stx.getArg 0)) comma (str "\",\"")
      (node2 info nullKind comma (node1 info nullKind (node1 info `Lean.Parser.Syntax.atom (str "\", \""))))
      (cond trailing (node2 info nullKind comma (.atom info "allowTrailingSep")) (mkNullNode Array.empty)) (.atom info ")"))
@[macro «stx_,*»] def commas : Macro := separated `Lean.Parser.Syntax.sepBy "sepBy(" false
@[macro «stx_,+»] def commas1 : Macro := separated `Lean.Parser.Syntax.sepBy1 "sepBy1(" false
@[macro «stx_,*,?»] def commasTrailing : Macro := separated `Lean.Parser.Syntax.sepBy "sepBy(" true
@[macro «stx_,+,?»] def commas1Trailing : Macro := separated `Lean.Parser.Syntax.sepBy1 "sepBy1(" true
end Lean.SugarExpansion
syntax (name := rawNatLit) "nat_lit " num : term
syntax (name := coeNotation) "↑" term:max : term
syntax (name := coeFunNotation) "⇑" term:max : term
syntax (name := coeSortNotation) "↥" term:max : term
namespace Lean
syntax binderIdent := ident <|> hole
end Lean
