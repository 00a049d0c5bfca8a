-- A leading dot needs an expected type.
-- expect: error 6:9 contains "Invalid dotted identifier notation: The expected type of `.red` could not be determined"
inductive Color where
  | red | green

def c := .red
