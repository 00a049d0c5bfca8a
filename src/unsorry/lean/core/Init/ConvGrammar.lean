prelude
import Init.TacticGrammar
/-! The grammar of `conv` mode. -/
set_option linter.all false
open Lean.Native
declare_syntax_cat conv (behavior := both)
namespace Lean.Parser.Tactic
parsers tactic_parser : Conv.conv
namespace Conv
fragments : argArg convSeq convSeq1Indented convSeqBracketed enterArg enterPattern occs occsIndexed occsWildcard
parsers conv_parser : allGoals anyGoals arg case case' change clear congr convApply_ convArgs convConvSeq convDone
  convErw__ convIntro___ convLeft «convNext__=>_» convRepeat_ convRfl convRight convRw__ convTactic convTrace_state
  convTry_ delta dsimp dsimpTrace enter ext extractLets failIfSuccess first focus «fun» letToHave lhs liftLets
  nestedConv nestedTactic nestedTacticCore normCast paren pattern reduce rewrite rhs simp simpMatch simpTrace skip
  unfold whnf zeta «conv·_»
trailing_parsers conv_parser : «conv_<;>_»
macros Conv : allGoals anyGoals case case' convApply_ convArgs convDone convErw__ convIntro___ convLeft
  «convNext__=>_» convRepeat_ convRfl convRight convRw__ convTrace_state convTry_ failIfSuccess focus «conv·_»
  «conv_<;>_»
end Conv
parsers conv_parser : guardExprConv guardHypConv guardTargetConv
end Lean.Parser.Tactic
namespace Lean
parsers conv_parser : convCalc_
macros NotationExtra : convCalc_
end Lean
