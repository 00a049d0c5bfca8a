namespace A
theorem t : 1 + 1 = 2 := by sorry
namespace B
theorem t : 2 + 2 = 4 := by sorry
end B
end A
section
theorem C.t : 3 + 3 = 6 := by sorry
end
