-- Boolean algebra by case analysis and by `decide`.
-- expect: information 18:0 contains "true"
theorem and_comm' (a b : Bool) : (a && b) = (b && a) := by cases a <;> cases b <;> rfl

theorem de_morgan (a b : Bool) : (!(a && b)) = (!a || !b) := by cases a <;> cases b <;> rfl

theorem xor_assoc' : ∀ a b c : Bool, ((a ^^ b) ^^ c) = (a ^^ (b ^^ c)) := by decide

theorem not_not' (a : Bool) : (!!a) = a := by simp

theorem or_eq_true (a b : Bool) : (a || b) = true ↔ a = true ∨ b = true := by simp

theorem absorb (a b : Bool) : (a && (a || b)) = a := by
  cases a with
  | false => rfl
  | true => simp

#eval (true && !false) || false
