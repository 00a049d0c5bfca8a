-- A functional queue with two lists, related to its list of elements.
structure Queue (α : Type) where
  front : List α
  back : List α

namespace Queue

variable {α : Type}

def empty : Queue α := ⟨[], []⟩
def toList (q : Queue α) : List α := q.front ++ q.back.reverse
def push (q : Queue α) (x : α) : Queue α := { q with back := x :: q.back }

def pop (q : Queue α) : Option (α × Queue α) :=
  match q.front with
  | x :: f => some (x, ⟨f, q.back⟩)
  | [] =>
    match q.back.reverse with
    | [] => none
    | x :: f => some (x, ⟨f, []⟩)

theorem toList_push (q : Queue α) (x : α) : (q.push x).toList = q.toList ++ [x] := by
  simp [toList, push]

theorem pop_spec (q : Queue α) (x : α) (q' : Queue α) (h : q.pop = some (x, q')) : q.toList = x :: q'.toList := by
  unfold pop at h
  split at h
  next y f hf =>
    simp at h
    obtain ⟨rfl, rfl⟩ := h
    simp [toList, hf]
  next hf =>
    split at h
    · contradiction
    next y f hb =>
      simp at h
      obtain ⟨rfl, rfl⟩ := h
      simp [toList, hf, hb]

end Queue
