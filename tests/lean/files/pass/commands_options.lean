-- Options are set for a file, a section, or one command.
-- expect: information 6:0 contains "HAdd.hAdd"
set_option autoImplicit false

set_option pp.notation false in
#check fun (a b : Nat) => a + b

section
set_option maxRecDepth 4000
example : (List.replicate 300 1).length = 300 := by decide
end

set_option linter.unusedVariables false in
def ignores (x y : Nat) : Nat := x
