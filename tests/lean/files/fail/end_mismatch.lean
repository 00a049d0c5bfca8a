-- `end` with the wrong name.
-- expect: error 5:0 contains "Invalid name after `end`: Expected `Foo`, but found `Bar`"
namespace Foo
def x : Nat := 1
end Bar
