namespace Fake.List
def length (_ : _root_.List Nat) : Nat := 3
end Fake.List
open Fake in
theorem target : Fake.List.length [1, 2] = 3 := rfl
