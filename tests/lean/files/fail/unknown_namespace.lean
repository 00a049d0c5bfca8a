-- Opening a namespace that does not exist.
-- expect: error 3:5 contains "unknown namespace `Topology`"
open Topology
