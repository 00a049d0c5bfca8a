"""One warm Lean for a project and all copies of it: checks, goals and search over what is really there.

The map:

    answers   what is said: Checked, Goals, Found; three-valued, a time-out is never a success
    modules   which file is which module, what it imports, in which order
    lake      what a Lake project adds: folders of packages, options, compiled files that are up to date
    build     imports compiled into a cache, by digest, each in a sandbox of its own
    facts     what a compiled module rests on: sorries and axioms, read from its bytes
    plan      a text with its imports compiled, or what stands in the way
    warm      fork servers and goal workers, shared by all attempts
    worker    one `lean --worker`: goals at positions
    index     what the declarations of an environment are made of, cached by module
    pattern   the shape of a conclusion
    lookup    search: index, pattern, signatures by Lean
    report    what Lean said, in words
    project   LeanProject: all of it for one copy of a project
"""
