-- An option that does not exist.
-- expect: error 3:0 contains "Unknown option `autoImplicits`"
set_option autoImplicits false
