namespace Course
def inc (n : Nat) : Nat := n + 1
end Course
namespace Other
theorem _root_.Course.target (n : Nat) : Course.inc n = n.succ := rfl
end Other
