-- A universe level that was never declared, with automatic binding switched off.
-- expect: error 6:16 contains "unknown universe level `u`"
-- expect: error 6:26 contains "unknown universe level `u`"
set_option autoImplicit false

def f (α : Type u) : Type u := α
