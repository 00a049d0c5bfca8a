-- An implicit argument that nothing determines.
-- expect: error 4:21 contains "don't know how to synthesize implicit argument `α`"
-- expect: error 4:33 contains "@List.nil"
def nothing : Nat := List.length []
