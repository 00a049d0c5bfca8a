syntax "split_all" : tactic
macro_rules | `(tactic| split_all) => `(tactic| first | assumption | (constructor <;> split_all))
theorem target (p q r s : Prop) (hp : p) (hq : q) (hr : r) (hs : s) : (p ∧ q) ∧ r ∧ s := by split_all
