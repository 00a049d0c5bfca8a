"""What a judge that pays rewards is sent: submissions of every kind, each with the verdicts that are right for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from unsorry import Problem, Status
from unsorry.redteam import corpus

# Shares in thousandths of all submissions.
SHARES = {
    "wrong proof": 420,
    "ill-typed": 180,
    "does not parse": 110,
    "right": 35,
    "sorry": 80,
    "other statement": 6,
    "hostile": 6,
    "huge": 1,
    "never ends": 1,
    "takes all it can": 1,
    "sent again": 160,
}
GREEDY = (50, 53, 54, 59, 67)  # vectors: giant terms, daemons, signals, memory, disk, processes, endless work
PROBLEMS = 120  # more than the judge of the soak keeps elaborated
SMALL = 1 << 16  # characters; longer texts are sent once, so that the memory measured is not the sender's
OPEN = frozenset((Status.REJECTED, Status.UNDECIDED))
REJECTED = frozenset((Status.REJECTED,))
ACCEPTED = frozenset((Status.ACCEPTED,))


@dataclass(frozen=True, slots=True)
class Sent:
    """A submission, the share that it belongs to, and the verdicts that are right."""

    kind: str
    problem: Problem
    text: str
    right: frozenset[Status]


def problem(number: int) -> tuple[Problem, str]:
    """(problem, a right proof of it): arithmetic, logic and an inductive type of its own, by turns."""
    kind = number % 3
    if kind == 0:
        text = f"theorem t (a b : Nat) : a + b + {number} = b + a + {number} := "
        return Problem(f"sum-{number}", text + "by sorry", ("t",)), text + "by rw [Nat.add_comm a b]"
    if kind == 1:
        text = f"theorem t (p q : Prop) (n : Nat) (h : n = {number}) : p ∧ q → q ∧ p ∧ n = {number} := "
        return Problem(f"and-{number}", text + "by sorry", ("t",)), text + "fun ⟨hp, hq⟩ => ⟨hq, hp, h⟩"
    text = f"""inductive T{number} where
  | leaf
  | node (l r : T{number})
def T{number}.mirror : T{number} → T{number}
  | leaf => leaf
  | node l r => node r.mirror l.mirror
theorem t (t : T{number}) : t.mirror.mirror = t := """
    return (
        Problem(f"mirror-{number}", text + "by sorry", ("t",)),
        text + f"by\n  induction t <;> simp_all [T{number}.mirror]",
    )


def stream(count: int, seed: int) -> Iterator[Sent]:
    """`count` submissions; the same for the same seed.  Only those that are `sent again` repeat an earlier one.

    What takes all it can comes first, each case once: the most that a submission takes is part of the warm-up.
    """
    choose = random.Random(seed)
    cases = [c for c in corpus.load(corpus.home() / "hostile") if c.needs == "core" and not _needs_a_host(c)]
    hostile = {
        "takes all it can": [c for c in cases if c.vectors[0] in GREEDY],
        "hostile": [c for c in cases if c.vectors[0] not in GREEDY],
    }
    kinds, weights = list(SHARES), list(SHARES.values())
    past: list[Sent] = []
    greedy = hostile["takes all it can"]
    for number in range(count):
        kind = choose.choices(kinds, weights)[0] if number >= len(greedy) else "takes all it can"
        if kind == "sent again" and past:
            yield choose.choice(past)
            continue
        if kind in hostile:
            case = choose.choice(hostile[kind]) if number >= len(greedy) else greedy[number]
            sent = Sent(kind, case.problem, f"{case.submission}\n-- {number}", frozenset(map(Status, case.verdict)))
        else:
            asked, proof = problem(choose.randrange(PROBLEMS))
            made = MAKERS.get(kind, MAKERS["right"])(asked, proof, choose)
            sent = Sent(kind, asked, f"{made}\n-- {number}", RIGHT.get(kind, REJECTED))
        if len(sent.text) < SMALL:
            past = [*past[-999:], sent]
        yield sent


def _needs_a_host(case: corpus.Case) -> bool:
    """Cases with planted files and the like belong to `unsorry redteam`."""
    return bool(case.plant or case.markers or case.environment)


Maker = Callable[[Problem, str, random.Random], str]


def _proof(asked: Problem, proof: str) -> str:
    return asked.statement.removesuffix("by sorry") + proof


def _wrong(asked: Problem, _: str, choose: random.Random) -> str:
    tries = ("by simp", "by rfl", "by intros; assumption", "by constructor", "by intros; contradiction", "by decide")
    return _proof(asked, choose.choice(tries))


def _ill_typed(asked: Problem, _: str, choose: random.Random) -> str:
    return _proof(
        asked, choose.choice(("Nat.succ 0", "fun x => x.elim", "by exact (rfl : 1 = 2)", "Nat.no_such_name a"))
    )


def _noise(asked: Problem, proof: str, choose: random.Random) -> str:
    place = choose.randrange(len(proof))
    return proof[:place] + choose.choice(("⟩", "```lean", ":= by", "(", "\x00", "∎")) + proof[place:]


def _other(asked: Problem, proof: str, choose: random.Random) -> str:
    return choose.choice(("theorem t : True := trivial", "theorem other : 1 = 1 := rfl", "def t := 1", ""))


def _huge(asked: Problem, proof: str, choose: random.Random) -> str:
    size = choose.randrange(3)
    if size == 0:
        return proof + "\n" + "\n".join(f"theorem u{i} : {i} + 1 = {i + 1} := rfl" for i in range(3000))
    if size == 1:
        return proof + "\ntheorem deep : " + " ∧ ".join(["True"] * 1500) + " := by simp"
    return proof + "\n/- " + "x" * (5 << 20) + " -/"  # above the largest text that is judged


LOOP = """macro "again" : tactic => `(tactic| repeat skip)
set_option maxHeartbeats 0 in
theorem v : 1 = 2 := by again"""
MAKERS: dict[str, Maker] = {
    "right": lambda asked, proof, choose: proof,
    "wrong proof": _wrong,
    "ill-typed": _ill_typed,
    "does not parse": _noise,
    "sorry": lambda asked, proof, choose: asked.statement,
    "other statement": _other,
    "huge": _huge,
    "never ends": lambda asked, proof, choose: f"{proof}\n{LOOP}",
}
ANY = frozenset(Status)
RIGHT = {
    "right": ACCEPTED,
    "sent again": ACCEPTED,  # before there is an earlier one
    "does not parse": ANY,  # what is put in may lie in a comment or be another right proof
    "huge": ANY,
    "never ends": OPEN,
}
