theorem target (p q : Prop) : ((p → q) → p) → p := fun h =>
  Classical.byContradiction fun hp => hp (h fun p => absurd p hp)
