set_option maxRecDepth 2000 in
set_option maxHeartbeats 400000 in
theorem target : (List.range 60).length = 60 := by decide
