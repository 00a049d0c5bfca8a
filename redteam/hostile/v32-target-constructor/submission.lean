inductive Tgt : Prop where
  | intro : Tgt
