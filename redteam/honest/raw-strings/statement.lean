def odd : String := r#"say "sorry" -- /- not a comment"#
theorem target : odd = "say \"sorry\" -- /- not a comment" := by sorry
