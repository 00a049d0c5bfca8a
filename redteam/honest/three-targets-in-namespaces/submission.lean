namespace A
theorem t : 1 + 1 = 2 := rfl
namespace B
theorem t : 2 + 2 = 4 := by decide
end B
end A
section
theorem C.t : 3 + 3 = 6 := congrArg (fun n => n + n - 2) A.B.t
end
