prelude
import Init.TacticGrammar
/-! Tactics that are macros over the primitive ones.  Of several rules for one tactic the later is tried first. -/
set_option linter.all false
namespace Lean.Parser.Tactic
macro_rules | `(tactic| $t <;> $s) => `(tactic| focus ($t:tactic; all_goals $s:tactic))
macro "try " t:tacticSeq : tactic => `(tactic| first | $t | skip)
macro_rules | `(tactic| repeat $seq) => `(tactic| first | ($seq); repeat $seq | skip)
macro "exfalso" : tactic => `(tactic| refine False.elim ?_)
macro "infer_instance" : tactic => `(tactic| exact inferInstance)
macro "admit" : tactic => `(tactic| exact sorry)
macro "sorry" : tactic => `(tactic| exact sorry)
macro "nofun" : tactic => `(tactic| exact nofun)
macro "nomatch " es:term,+ : tactic => `(tactic| exact nomatch $es:term,*)
macro "refine_lift " e:term : tactic => `(tactic| focus (refine no_implicit_lambda% $e; rotate_right))
macro "refine_lift' " e:term : tactic => `(tactic| focus (refine' no_implicit_lambda% $e; rotate_right))
macro "have" c:letConfig d:letDecl : tactic => `(tactic| refine_lift have $c:letConfig $d:letDecl; ?_)
macro "let" c:letConfig d:letDecl : tactic => `(tactic| refine_lift let $c:letConfig $d:letDecl; ?_)
macro "haveI" c:letConfig d:letDecl : tactic => `(tactic| refine_lift haveI $c:letConfig $d:letDecl; ?_)
macro "letI" c:letConfig d:letDecl : tactic => `(tactic| refine_lift letI $c:letConfig $d:letDecl; ?_)
macro "suffices " d:sufficesDecl : tactic => `(tactic| refine_lift suffices $d; ?_)
macro_rules | `(tactic| let rec $d) => `(tactic| refine_lift let rec $d; ?_)
macro "exists " es:term,+ : tactic => `(tactic| (refine ⟨$es,*, ?_⟩; try trivial))
macro_rules | `(tactic| and_intros) => `(tactic| repeat' refine And.intro ?_ ?_)
macro (name := rwSeq) "rw " c:optConfig s:rwRuleSeq l:(location)? : tactic =>
  `(tactic| (rewrite $c:optConfig $s:rwRuleSeq $(l)?; rfl_try))
macro (name := rwa) "rwa " s:rwRuleSeq : tactic => `(tactic| (rw $s:rwRuleSeq; assumption))
macro (name := rwaAt) "rwa " s:rwRuleSeq " at " h:term:max : tactic => `(tactic| (rw $s:rwRuleSeq at $h:term; assumption))
macro_rules
  | `(tactic| exacts []) => `(tactic| done)
  | `(tactic| exacts [$h]) => `(tactic| (exact $h; done))
  | `(tactic| exacts [$h, $hs,*]) => `(tactic| (exact $h; exacts [$hs,*]))
macro_rules | `(tactic| rfl) => `(tactic| apply_rfl)
macro_rules | `(tactic| rfl) => `(tactic| exact HEq.rfl)
macro_rules | `(tactic| rfl) => `(tactic| eq_refl)
macro_rules | `(tactic| rfl_try) => `(tactic| try (with_reducible rfl))
macro_rules | `(tactic| trivial) => `(tactic| assumption)
macro_rules | `(tactic| trivial) => `(tactic| rfl)
macro_rules | `(tactic| trivial) => `(tactic| contradiction)
macro_rules | `(tactic| trivial) => `(tactic| decide)
macro_rules | `(tactic| trivial) => `(tactic| apply True.intro)
macro_rules | `(tactic| trivial) => `(tactic| apply And.intro <;> trivial)
end Lean.Parser.Tactic
