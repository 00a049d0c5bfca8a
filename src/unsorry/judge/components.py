"""Strongly connected components of a graph, without recursion (Tarjan 1972)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node")


def components(roots: Iterable[Node], successors: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """The components in reach of the roots, each after those that it points to; in time linear in the edges."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: list[Node] = []
    closed: set[Node] = set()
    for root in roots:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        work = [(root, iter(successors(root)))]
        while work:
            node, rest = work[-1]
            for target in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    open_nodes.append(target)
                    work.append((target, iter(successors(target))))
                    break
                if target not in closed and index[target] < low[node]:
                    low[node] = index[target]
            else:
                work.pop()
                if work and low[node] < low[work[-1][0]]:
                    low[work[-1][0]] = low[node]
                if low[node] == index[node]:
                    found = [open_nodes.pop()]
                    while found[-1] != node:
                        found.append(open_nodes.pop())
                    closed.update(found)
                    yield found
