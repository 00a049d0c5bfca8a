-- The embedded library has no `Lean` package: no metaprogramming through imports.
-- expect: error 3:0 contains "unknown module prefix 'Lean'"
import Lean
