theorem target (p : Prop) : ¬¬p → p := fun h => Classical.byContradiction h
