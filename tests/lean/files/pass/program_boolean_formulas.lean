-- Negation normal form preserves meaning.
inductive Formula where
  | atom (i : Nat)
  | not (a : Formula)
  | and (a b : Formula)
  | or (a b : Formula)

namespace Formula

def eval (v : Nat → Bool) : Formula → Bool
  | atom i => v i
  | not a => !a.eval v
  | and a b => a.eval v && b.eval v
  | or a b => a.eval v || b.eval v

mutual
  def nnf : Formula → Formula
    | atom i => atom i
    | not a => a.neg
    | and a b => and a.nnf b.nnf
    | or a b => or a.nnf b.nnf
  def neg : Formula → Formula
    | atom i => not (atom i)
    | not a => a.nnf
    | and a b => or a.neg b.neg
    | or a b => and a.neg b.neg
end

theorem eval_nnf_neg (v : Nat → Bool) (a : Formula) : a.nnf.eval v = a.eval v ∧ a.neg.eval v = !a.eval v := by
  induction a with
  | atom i => exact ⟨rfl, rfl⟩
  | not a ih => simp [nnf, neg, eval, ih]
  | and a b iha ihb => simp [nnf, neg, eval, iha, ihb]
  | or a b iha ihb => simp [nnf, neg, eval, iha, ihb]

end Formula
