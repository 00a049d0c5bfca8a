namespace A
theorem target : True := True.intro
namespace B
private theorem target : False → True := fun _ => True.intro
end B
end A
theorem target (n : Nat) : n + 0 = n := rfl
open A
