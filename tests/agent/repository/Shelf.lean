import Shelf.Aliases
import Shelf.Binary
import Shelf.Compile
import Shelf.Conjectures
import Shelf.Dictionary
import Shelf.Logic
import Shelf.Optimise
import Shelf.Queue
import Shelf.SearchTree
import Shelf.Sorting

/-! Everything on the shelf. -/

namespace Shelf

/-- A list is the content of the queue that was filled from it. -/
theorem fromList_content (xs : List Nat) : (Queue.fromList xs).content = xs := by
  sorry

end Shelf
