-- Local notation is gone after its section; scoped notation needs its namespace opened.
-- expect: error 13:19 contains "expected token"
-- expect: error 15:17 contains "expected"
section
local notation "𝟙" => (1 : Nat)
example : 𝟙 = 1 := rfl
end

namespace Ops
scoped infixl:65 " ⊹ " => Nat.add
end Ops

def two : Nat := 1 ⊹ 1

def one : Nat := 𝟙
