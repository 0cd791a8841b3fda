"""Gates, as a circuit has them, and as SymPy does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Literal(NamedTuple):
    """What a gate reads: an input or an earlier gate, positive or negated.

    Parameters
    ----------
    source : {"input", "gate"}
        What it is.
    number : int
        Which one, from 0.
    positive : bool, default=True
        Whether it counts where that is 1.
    points : int, default=1
        What it counts, from 1 to 1,000.
    """

    source: str
    number: int
    positive: bool = True
    points: int = 1


class Gate(NamedTuple):
    """A gate answers by the points of those of its literals that hold.

    Parameters
    ----------
    rule : {"and", "or", "xor", "counts"}
        When it holds; ``"counts"`` where the points lie in one of `counts`.
    counts : list of (int, int)
        Ranges of points, first and last included.
    literals : list of Literal
        What it reads.
    """

    rule: str
    counts: list[tuple[int, int]]
    literals: list[Literal]


def to_sympy(inputs: Sequence[str], gates: Sequence[Gate], output: Literal) -> Any:
    """The answer as an expression over symbols with the names of the inputs; imports SymPy."""
    from sympy import ITE, And, Not, Or, Symbol, Xor, false, true

    values: dict[tuple[str, int], Any] = {("input", i): Symbol(name) for i, name in enumerate(inputs)}

    def value(literal: Literal) -> Any:
        own = values[literal.source, literal.number]
        return own if literal.positive else Not(own)

    def counted(gate: Gate) -> Any:
        # From the last literal on: what follows where so much was counted before.
        most = sum(literal.points for literal in gate.literals)
        after = [true if any(a <= count <= b for a, b in gate.counts) else false for count in range(most + 1)]
        for literal in reversed(gate.literals):
            most -= literal.points
            after = [ITE(value(literal), after[count + literal.points], after[count]) for count in range(most + 1)]
        return after[0]

    operators = {"and": And, "or": Or, "xor": Xor}
    for number, gate in enumerate(gates):
        operator = operators.get(gate.rule)
        values["gate", number] = operator(*map(value, gate.literals)) if operator else counted(gate)
    return value(output)
