prelude
import Init.TacticMacros
/-! The grammar of `conv` mode. -/
set_option linter.all false
declare_syntax_cat conv (behavior := both)
namespace Lean.Parser.Tactic.Conv
syntax convSeq1Indented := sepByIndentSemicolon(conv)
syntax convSeqBracketed := "{" withoutPosition(sepByIndentSemicolon(conv)) "}"
syntax convSeq := convSeqBracketed <|> convSeq1Indented
syntax occsWildcard := "*"
syntax occsIndexed := num+
syntax occs := atomic("(" &"occs") " := " (occsWildcard <|> occsIndexed) ") "
syntax (name := conv) "conv" (" at " ident)? (" in " (occs)? term)? " => " convSeq : tactic
syntax (name := skip) "skip" : conv
syntax (name := lhs) "lhs" : conv
syntax (name := rhs) "rhs" : conv
syntax (name := congr) "congr" : conv
syntax argArg := "@"? "-"? num
syntax (name := arg) "arg " argArg : conv
syntax (name := ext) "ext" (ppSpace colGt binderIdent)* : conv
syntax (name := change) "change " term : conv
syntax (name := unfold) "unfold" (ppSpace colGt ident)+ : conv
syntax (name := delta) "delta" (ppSpace colGt ident)+ : conv
syntax (name := rewrite) "rewrite" optConfig rwRuleSeq : conv
syntax (name := simp) "simp" optConfig (discharger)? (&" only")? (" [" withoutPosition((simpStar <|> simpErase <|> simpLemma),*) "]")? : conv
syntax (name := whnf) "whnf" : conv
syntax (name := reduce) "reduce" : conv
syntax (name := nestedConv) convSeqBracketed : conv
syntax (name := paren) "(" withoutPosition(convSeq) ")" : conv
syntax (name := nestedTacticCore) "tactic'" " => " tacticSeq : conv
macro "rw" c:optConfig s:rwRuleSeq : conv => `(conv| rewrite $c:optConfig $s)
macro "rfl" : conv => `(conv| tactic' => rfl)
syntax enterPattern := "in " (occs)? term
syntax enterArg := binderIdent <|> argArg <|> enterPattern
syntax (name := enter) "enter" " [" withoutPosition(enterArg,+) "]" : conv
end Lean.Parser.Tactic.Conv
