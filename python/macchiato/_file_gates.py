"""A circuit of a model file over rows of 0 and 1."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _macchiato

_Bits = NDArray[np.int64]


@dataclass
class Gates:
    """The gates of one circuit as the file has them."""

    gates: list[dict[str, Any]]
    output: dict[str, Any]
    #: The numbers of the tests, by name.
    inputs: dict[str, int]
    #: The gates of each stage's terms, and its own; none where the circuit has no stages.
    stages: list[tuple[list[int], int]]
    #: The greatest number at each place of a pattern (``docs/model.md``).
    limits: list[int]


def answer_of(model: _macchiato.Model, circuit: int) -> Gates:
    """The gates of a model's circuit with this number."""
    found = json.loads(model.to_bytes())["circuits"][circuit]
    return gates_of(found, model.bit_names)


def gates_of(circuit: dict[str, Any], names: list[str]) -> Gates:
    """The gates of a circuit of a file, over tests of these names."""
    gates, stages = circuit["gates"], []
    for g, gate in enumerate(gates):
        role = gate.get("role", {})
        if "stage" in role and "term" not in role:
            terms = [t for t, term in enumerate(gates) if term.get("role", {}).get("stage") == role["stage"] and t != g]
            stages.append((terms, g))
    inputs = {name: i for i, name in enumerate(names)}
    made = Gates(gates, circuit["output"], inputs, stages, [])
    if stages:
        made.limits = [len(terms) for terms, _ in stages]
    elif "gate" in circuit["output"] and gates:
        most = sum(literal.get("points", 1) for literal in gates[circuit["output"]["gate"]]["literals"])
        made.limits = [most] if most <= np.iinfo(np.uint16).max else []
    if any(limit > np.iinfo(np.uint16).max for limit in made.limits):
        made.limits = []
    return made


def _literal(circuit: Gates, literal: dict[str, Any], bits: _Bits, values: list[_Bits]) -> _Bits:
    value = bits[:, circuit.inputs[literal["input"]]] if "input" in literal else values[literal["gate"]]
    return 1 - value if literal.get("negated") else value


def _count(circuit: Gates, gate: dict[str, Any], bits: _Bits, values: list[_Bits]) -> tuple[_Bits, int]:
    count, most = np.zeros(len(bits), dtype=np.int64), 0
    for literal in gate["literals"]:
        points = literal.get("points", 1)
        count, most = count + points * _literal(circuit, literal, bits, values), most + points
    return count, most


def gate_values(circuit: Gates, bits: _Bits) -> list[_Bits]:
    """0 or 1 of each gate on each row."""
    values: list[_Bits] = []
    for gate in circuit.gates:
        count, most = _count(circuit, gate, bits, values)
        rule = gate["rule"]
        if rule == "counts":
            holds = np.zeros(len(bits), dtype=bool)
            for first, last in gate["counts"]:
                holds |= (count >= first) & (count <= last)
        else:
            least = {"and": most, "or": 1}.get(rule, gate.get("least", 0))
            holds = count % 2 == 1 if rule == "xor" else count >= least
        values.append(holds.astype(np.int64))
    return values


def answers(circuit: Gates, bits: _Bits) -> _Bits:
    """0 or 1 of the circuit on each row."""
    return _literal(circuit, circuit.output, bits, gate_values(circuit, bits))


def keys_of(circuit: Gates, bits: _Bits) -> _Bits:
    """The answer, and the places of the pattern, of each row."""
    values = gate_values(circuit, bits)
    columns = [_literal(circuit, circuit.output, bits, values)]
    if circuit.limits and circuit.stages:
        for terms, _ in circuit.stages:
            first = np.zeros(len(bits), dtype=np.int64)
            for number, term in reversed(list(enumerate(terms, start=1))):
                first = np.where(values[term] == 1, number, first)
            columns.append(first)
    elif circuit.limits:
        columns.append(_count(circuit, circuit.gates[circuit.output["gate"]], bits, values)[0])
    return np.stack(columns, axis=1)
