prelude
import Init.SyntaxTrees
/-! The grammar and the macros that the binary carries.  Its parsers, macros and unexpanders are compiled code; what is
missing without upstream's library are the declarations that name them.  A declaration `@[extern "c"] opaque f` binds to
the native `f`, so the commands below only list names: notation and tactics are then exactly Lean's, and cost nothing to
compile.  A kind of node has the same name as its parser; macros have the names that `macro_rules` makes up.

    parsers CATEGORY : KIND ..       grammar, registered in a category
    trailing_parsers CATEGORY : KIND ..  the same for grammar that begins with an operand
    fragments : KIND ..              grammar that other parsers mention
    macros FILE : KIND (NUMBER)? ..  rules for kinds of the current namespace (or `_root_.KIND`); NUMBER tells several rules for one kind in one file apart, later ones are tried first
    unexpanders FILE : CONSTANT (NUMBER)? ..  -/
set_option linter.all false
@[extern "c"] opaque Nat.reprFast (n : Nat) : String
@[extern "c"] opaque Lean.Name.replacePrefix (n queryP newP : Lean.Name) : Lean.Name
namespace Lean.Native
/-- the components of a name, joined by underscores -/
def joined : Name → String
  | .str .anonymous s => s
  | .str p s => String.append (String.append (joined p) "_") s
  | _ => ""
def auxiliary (file : Name) (what : String) (target : Name) (number : Syntax) : Ident :=
  let n := match number.getArg 0 with
    | .missing => "1"
    | stx => Nat.reprFast stx.toNat
  mkIdent (.mkSimple (String.append (String.append (String.append (String.append (String.append (String.append "_aux_Init_" (joined file)) "___") what) (joined target)) "_") n))
def declId (name : Ident) : TSyntax `Lean.Parser.Command.declId :=
  ⟨Syntax.node2 .none `Lean.Parser.Command.declId name.raw (mkNullNode Array.empty)⟩
/-- the commands that `command` makes of each element -/
def each (command : Syntax → MacroM Command) (list : Array Syntax) : MacroM Syntax := go list.toList Array.empty
where go : List Syntax → Array Syntax → MacroM Syntax
  | .nil, made => pure (mkNullNode made)
  | .cons a rest, made => bind (command a) fun c => go rest (made.push c.raw)
syntax entry := ident optional(num)
scoped syntax "parsers " ident ": " many(ident) : command
scoped syntax "trailing_parsers " ident ": " many(ident) : command
scoped syntax "fragments " ": " many(ident) : command
scoped syntax "macros " ident ": " many(entry) : command
scoped syntax "unexpanders " ident ": " many(entry) : command
scoped macro_rules
  | `(parsers $category : $kinds*) => each (fun kind => let kind : Ident := ⟨kind⟩
      `(@[extern "c", $category:ident] opaque $(declId kind):declId : Lean.ParserDescr)) (TSyntaxArray.raw kinds)
scoped macro_rules
  | `(trailing_parsers $category : $kinds*) => each (fun kind => let kind : Ident := ⟨kind⟩
      `(@[extern "c", $category:ident] opaque $(declId kind):declId : Lean.TrailingParserDescr)) (TSyntaxArray.raw kinds)
scoped macro_rules
  | `(fragments : $kinds*) => each (fun kind => let kind : Ident := ⟨kind⟩
      `(@[extern "c"] opaque $(declId kind):declId : Lean.ParserDescr)) (TSyntaxArray.raw kinds)
scoped macro_rules
  | `(macros $file : $entries*) => bind Macro.getCurrNamespace fun here => each (fun entry =>
      let given := (entry.getArg 0).getId
      let kind := mkIdent (given.replacePrefix `_root_ .anonymous)
      let full := Name.replacePrefix (Name.append here given) (Name.append here `_root_) .anonymous
      let rule := auxiliary file.getId "macroRules_" full (entry.getArg 1)
      `(@[extern "c", macro $kind] opaque $(declId rule):declId : Lean.Macro)) (TSyntaxArray.raw entries)
scoped macro_rules
  | `(unexpanders $file : $entries*) => each (fun entry =>
      let constant : Ident := ⟨entry.getArg 0⟩
      let rule := auxiliary file.getId "unexpand_" constant.getId (entry.getArg 1)
      `(@[extern "c", app_unexpander $constant] opaque $(declId rule):declId : Lean.PrettyPrinter.Unexpander)) (TSyntaxArray.raw entries)
end Lean.Native
