"""Datatypes and functions that the tiny world's problems are made of, in Lean's notation.

`A` stands for the type of the elements and `g` for the operation on them; both are chosen for each problem.  A function
`name#variant` is one way to write it: recursion on the first or the second argument, with or without accumulator.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from unsorry.problems.world.terms import Term, parse

DATATYPES = {
    "N": "z | s (n : N)",
    "B": "on | off",
    "C": "red | green | blue",
    "L": "nil | cons (x : A) (l : L)",
    "S": "emp | snoc (l : S) (x : A)",
    "T": "tip | bin (l r : T)",
    "U": "leaf (x : A) | br (l r : U)",
    "V": "nul | nod (l : V) (x : A) (r : V)",
    "O": "no | yes (x : A)",
    "P": "mk (x y : A)",
    "E": "lit (n : N) | plus (a b : E)",
    "F": "cst (b : Bool) | neg (a : F) | con (a b : F)",
    "W": "fin | lo (w : W) | hi (w : W)",
    "R": "dot | tri (a b c : R)",
}
ELEMENTS = {"N": "s", "B": "opp", "C": "rot"}  # element types and their operation
BUILTIN = {
    "true": ((), "Bool"),
    "false": ((), "Bool"),
    "and": (("Bool", "Bool"), "Bool"),
    "or": (("Bool", "Bool"), "Bool"),
    "not": (("Bool",), "Bool"),
}

FUNCTIONS = """
opp : B -> B | on => off | off => on
rot : C -> C | red => green | green => blue | blue => red
tor : C -> C | red => blue | green => red | blue => green
meet : B -> B -> B | on, y => y | off, _ => off
join : B -> B -> B | on, _ => on | off, y => y
xr : B -> B -> B | on, y => opp y | off, y => y
mix : C -> C -> C | red, y => y | green, y => rot y | blue, y => rot (rot y)
yesno : B -> Bool | on => true | off => false
add#1 : N -> N -> N | z, y => y | s x, y => s (add x y)
add#2 : N -> N -> N | x, z => x | x, s y => s (add x y)
addt#1 : N -> N -> N | z, y => y | s x, y => addt x (s y)
addt#2 : N -> N -> N | x, z => x | x, s y => addt (s x) y
mul#1 : N -> N -> N | z, _ => z | s x, y => add y (mul x y)
mul#2 : N -> N -> N | _, z => z | x, s y => add x (mul x y)
dbl : N -> N | z => z | s x => s (s (dbl x))
trip : N -> N | z => z | s x => s (s (s (trip x)))
pred : N -> N | z => z | s x => x
half : N -> N | z => z | s z => z | s (s x) => s (half x)
sub#1 : N -> N -> N | x, z => x | z, s _ => z | s x, s y => sub x y
sub#2 : N -> N -> N | x, z => x | x, s y => pred (sub x y)
mx : N -> N -> N | z, y => y | s x, z => s x | s x, s y => s (mx x y)
mn : N -> N -> N | z, _ => z | s _, z => z | s x, s y => s (mn x y)
dist : N -> N -> N | z, y => y | s x, z => s x | s x, s y => dist x y
even : N -> Bool | z => true | s x => not (even x)
odd : N -> Bool | z => false | s x => not (odd x)
eq : N -> N -> Bool | z, z => true | z, s _ => false | s _, z => false | s x, s y => eq x y
le : N -> N -> Bool | z, _ => true | s _, z => false | s x, s y => le x y
lt : N -> N -> Bool | _, z => false | z, s _ => true | s x, s y => lt x y
zero : N -> Bool | z => true | s _ => false
app#1 : L -> L -> L | nil, m => m | cons x l, m => cons x (app l m)
len : L -> N | nil => z | cons _ l => s (len l)
map : L -> L | nil => nil | cons x l => cons (g x) (map l)
copy : L -> L | nil => nil | cons x l => cons x (copy l)
put : L -> A -> L | nil, y => cons y nil | cons x l, y => cons x (put l y)
rev#1 : L -> L | nil => nil | cons x l => app (rev l) (cons x nil)
rev#2 : L -> L | nil => nil | cons x l => put (rev l) x
revt : L -> L -> L | nil, m => m | cons x l, m => revt l (cons x m)
lent : L -> N -> N | nil, n => n | cons _ l, n => lent l (s n)
dup : L -> L | nil => nil | cons x l => cons x (cons x (dup l))
sum : L -> N | nil => z | cons x l => add x (sum l)
all : L -> Bool | nil => true | cons x l => and (even x) (all l)
any : L -> Bool | nil => false | cons x l => or (even x) (any l)
rep : N -> L | z => nil | s n => cons z (rep n)
take : N -> L -> L | z, _ => nil | s _, nil => nil | s n, cons x l => cons x (take n l)
drop : N -> L -> L | z, l => l | s _, nil => nil | s n, cons _ l => drop n l
tail : L -> L | nil => nil | cons _ l => l
null : L -> Bool | nil => true | cons _ _ => false
zip : L -> L -> L | nil, m => m | cons x l, m => cons x (zip l m)
sapp : S -> S -> S | l, emp => l | l, snoc m x => snoc (sapp l m) x
slen : S -> N | emp => z | snoc l _ => s (slen l)
smap : S -> S | emp => emp | snoc l x => snoc (smap l) (g x)
scopy : S -> S | emp => emp | snoc l x => snoc (scopy l) x
front : A -> S -> S | x, emp => snoc emp x | x, snoc l y => snoc (front x l) y
srev : S -> S | emp => emp | snoc l x => front x (srev l)
to : L -> S | nil => emp | cons x l => front x (to l)
of : S -> L | emp => nil | snoc l x => put (of l) x
srep : N -> S | z => emp | s n => snoc (srep n) z
mir : T -> T | tip => tip | bin l r => bin (mir r) (mir l)
size#1 : T -> N | tip => z | bin l r => s (add (size l) (size r))
size#2 : T -> N | tip => s z | bin l r => add (size l) (size r)
hgt : T -> N | tip => z | bin l r => s (mx (hgt l) (hgt r))
low : T -> N | tip => z | bin l r => s (mn (low l) (low r))
tcopy : T -> T | tip => tip | bin l r => bin (tcopy l) (tcopy r)
graft : T -> T -> T | tip, t => t | bin l r, t => bin (graft l t) (graft r t)
spine#1 : N -> T | z => tip | s n => bin (spine n) tip
spine#2 : N -> T | z => tip | s n => bin tip (spine n)
full : N -> T | z => tip | s n => bin (full n) (full n)
lft : T -> N | tip => z | bin l _ => s (lft l)
rgt : T -> N | tip => z | bin _ r => s (rgt r)
inner : T -> N | tip => z | bin l r => s (add (inner l) (inner r))
tips : T -> N | tip => s z | bin l r => add (tips l) (tips r)
umir : U -> U | leaf x => leaf x | br l r => br (umir r) (umir l)
umap : U -> U | leaf x => leaf (g x) | br l r => br (umap l) (umap r)
flat : U -> L | leaf x => cons x nil | br l r => app (flat l) (flat r)
flatt : U -> L -> L | leaf x, m => cons x m | br l r, m => flatt l (flatt r m)
usize : U -> N | leaf _ => s z | br l r => add (usize l) (usize r)
ucopy : U -> U | leaf x => leaf x | br l r => br (ucopy l) (ucopy r)
usum : U -> N | leaf x => x | br l r => add (usum l) (usum r)
uall : U -> Bool | leaf x => even x | br l r => and (uall l) (uall r)
lmost : U -> A | leaf x => x | br l _ => lmost l
rmost : U -> A | leaf x => x | br _ r => rmost r
vmir : V -> V | nul => nul | nod l x r => nod (vmir r) x (vmir l)
vmap : V -> V | nul => nul | nod l x r => nod (vmap l) (g x) (vmap r)
vsize : V -> N | nul => z | nod l _ r => s (add (vsize l) (vsize r))
vhgt : V -> N | nul => z | nod l _ r => s (mx (vhgt l) (vhgt r))
vcopy : V -> V | nul => nul | nod l x r => nod (vcopy l) x (vcopy r)
pre : V -> L | nul => nil | nod l x r => cons x (app (pre l) (pre r))
ino : V -> L | nul => nil | nod l x r => app (ino l) (cons x (ino r))
vall : V -> Bool | nul => true | nod l x r => and (even x) (and (vall l) (vall r))
omap : O -> O | no => no | yes x => yes (g x)
orelse : O -> O -> O | no, y => y | yes x, _ => yes x
andthen : O -> O -> O | no, _ => no | yes _, y => y
pick : O -> A -> A | no, y => y | yes x, _ => x
swap : P -> P | mk x y => mk y x
fst : P -> A | mk x _ => x
snd : P -> A | mk _ y => y
both : P -> P | mk x y => mk (g x) (g y)
eval : E -> N | lit n => n | plus a b => add (eval a) (eval b)
swp : E -> E | lit n => lit n | plus a b => plus (swp b) (swp a)
esize : E -> N | lit _ => s z | plus a b => s (add (esize a) (esize b))
ecopy : E -> E | lit n => lit n | plus a b => plus (ecopy a) (ecopy b)
up : E -> E | lit n => lit (s n) | plus a b => plus (up a) b
lits : E -> N | lit _ => s z | plus a b => add (lits a) (lits b)
ev : F -> Bool | cst b => b | neg a => not (ev a) | con a b => and (ev a) (ev b)
fswp : F -> F | cst b => cst b | neg a => neg (fswp a) | con a b => con (fswp b) (fswp a)
dbn : F -> F | cst b => cst b | neg a => neg (neg (neg (dbn a))) | con a b => con (dbn a) (dbn b)
inv : W -> W | fin => fin | lo w => hi (inv w) | hi w => lo (inv w)
wlen : W -> N | fin => z | lo w => s (wlen w) | hi w => s (wlen w)
wapp : W -> W -> W | fin, v => v | lo w, v => lo (wapp w v) | hi w, v => hi (wapp w v)
los : W -> N | fin => z | lo w => s (los w) | hi w => los w
his : W -> N | fin => z | lo w => his w | hi w => s (his w)
wpar : W -> Bool | fin => true | lo w => wpar w | hi w => not (wpar w)
wend : W -> W | fin => lo fin | lo w => lo (wend w) | hi w => hi (wend w)
turn : R -> R | dot => dot | tri a b c => tri (turn b) (turn c) (turn a)
nrut : R -> R | dot => dot | tri a b c => tri (nrut c) (nrut a) (nrut b)
ends : R -> R | dot => dot | tri a b c => tri (ends c) (ends b) (ends a)
rcopy : R -> R | dot => dot | tri a b c => tri (rcopy a) (rcopy b) (rcopy c)
rgraft : R -> R -> R | dot, t => t | tri a b c, t => tri (rgraft a t) (rgraft b t) (rgraft c t)
"""


@dataclass(frozen=True, slots=True)
class Constructor:
    name: str
    fields: tuple[str, ...]  # types
    text: str


@dataclass(frozen=True, slots=True)
class Datatype:
    name: str
    constructors: tuple[Constructor, ...]

    @property
    def text(self) -> str:
        return f"inductive {self.name} | {' | '.join(c.text for c in self.constructors)}"


@dataclass(frozen=True, slots=True)
class Function:
    key: str  # name#variant
    name: str
    arguments: tuple[str, ...]  # types
    result: str
    equations: tuple[tuple[tuple[Term, ...], Term], ...]  # patterns, right side

    @property
    def text(self) -> str:
        lines = [f"def {self.name} : {' → '.join([*self.arguments, self.result])}"]
        lines += [f"  | {', '.join(map(str, patterns))} => {rhs}" for patterns, rhs in self.equations]
        return "\n".join(lines)


@cache
def datatype(name: str, element: str) -> Datatype:
    """The datatype `name` with `element` for its elements."""
    constructors = []
    for part in DATATYPES[name].split(" | "):
        head, *groups = part.replace(")", "").split(" (")
        fields: list[str] = []
        for group in groups:
            names, type_ = group.split(" : ")
            fields += [_element(type_.strip(), element)] * len(names.split())
        text = part.replace(": A)", f": {element})")
        constructors.append(Constructor(head.strip(), tuple(fields), text))
    return Datatype(name, tuple(constructors))


def _element(type_: str, element: str) -> str:
    return element if type_ == "A" else type_


def _sources() -> dict[str, str]:
    lines = [line for line in FUNCTIONS.strip().splitlines() if line]
    return {line.split(" : ", 1)[0].strip(): line.split(" : ", 1)[1] for line in lines}


SOURCES = _sources()


@cache
def function(key: str, element: str) -> Function:
    """The function `key` with `element` for `A` and its operation for `g`."""
    signature, *cases = SOURCES[key].split(" | ")
    *arguments, result = [_element(part.strip(), element) for part in signature.split("->")]
    equations = []
    for case in cases:
        left, right = case.split(" => ")
        patterns = tuple(parse(pattern) for pattern in left.split(", "))
        equations.append((patterns, _operation(parse(right), element)))
    return Function(key, key.split("#", maxsplit=1)[0], tuple(arguments), result, tuple(equations))


def _operation(term: Term, element: str) -> Term:
    head = ELEMENTS[element] if term.head == "g" else term.head
    return Term(head, tuple(_operation(arg, element) for arg in term.args))
