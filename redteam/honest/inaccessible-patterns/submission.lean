theorem target {a b : α} (h : a = b) (p : α → Prop) (hp : p a) : p b := match b, h with
  | .(a), rfl => hp
