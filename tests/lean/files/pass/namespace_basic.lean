-- Namespaces nest, reopen and are opened; names resolve to the innermost.
namespace Outer

def value : Nat := 1

namespace Inner
def value : Nat := 2
def both : Nat := value + Outer.value
end Inner

example : value = 1 := rfl
example : Inner.value = 2 := rfl

end Outer

namespace Outer.Inner
example : both = 3 := rfl
end Outer.Inner

open Outer.Inner in
example : value = 2 := rfl

open Outer (value) in
example : value = 1 := rfl

open Outer.Inner renaming value → innerValue in
example : innerValue = 2 := rfl

open Outer.Inner hiding both in
example : value = 2 := rfl
