def greeting : String := "∀ε>0 🦉 \u00e9 naïve"
theorem target : greeting = "∀ε>0 🦉 é naïve" := rfl
