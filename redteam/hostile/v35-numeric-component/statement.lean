namespace N
theorem «1» : False := by sorry
end N
