theorem target (n : Nat) : n + 0 = n := rfl
namespace Tail
section
