-- A big evaluation exceeds the recursion limit.
-- expect: error 4:54 contains "maximum recursion depth has been reached"
set_option maxRecDepth 100 in
theorem t : (List.replicate 500 1).length = 500 := by decide
