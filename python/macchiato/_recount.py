"""A model whose counts are those of other rows: coverage, cells, errors and what follows from them, as ``docs/model.md`` has them.

The model's reader checks that all numbers agree.
"""

from __future__ import annotations

import json
from math import lgamma
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _macchiato
from ._file_gates import Gates, gates_of
from ._questions import Groups

_PRIORS = (0.02, 0.2, 1.0)
_MOST_PATTERNS = 4096


def _best_prior(cells: list[list[int]]) -> tuple[float, float]:
    """The most nats of the labels in these cells, and the prior under which they are."""

    def rising(n: int, a: float) -> float:
        return lgamma(n + a) - lgamma(a)

    def nats(prior: float) -> float:
        return sum(rising(z, prior) + rising(o, prior) - rising(z + o, 2 * prior) for z, o in cells)

    found = [(nats(prior), prior) for prior in _PRIORS]
    return max(found, key=lambda pair: (pair[0], -pair[1]))


def circuit_answer(circuit: Gates, pattern: tuple[int, ...], answer: int) -> int:
    """What the circuit answers on the rows of a pattern."""
    return sum(place > 0 for place in pattern) % 2 if circuit.stages else answer


def recount(circuit: dict[str, Any], names: list[str], groups: Groups, own: int, coverage: list[int]) -> None:
    """Put the counts of `groups` (a circuit's answer and pattern, by class) in place of those of the circuit of a file.

    `own` is the number of the circuit's class; `coverage` has the rows of each gate.
    """
    # Circuits of other sizes were counted on the sample alone.
    circuit.pop("alternatives", None)
    gates = gates_of(circuit, names)
    labels = (groups.labels == own).astype(int)
    answers = [[0, 0], [0, 0]]
    patterns: dict[tuple[int, ...], list[int]] = {}
    for key, label, count in zip(groups.keys.tolist(), labels.tolist(), groups.counts.tolist(), strict=True):
        answers[key[0]][label] += count
        if gates.limits:
            patterns.setdefault(tuple(key[1:]), [0, 0])[label] += count
    by_answer, by_pattern = _best_prior(answers), _best_prior(list(patterns.values()))
    cells: dict[str, Any] = {"prior": by_answer[1], "answers": answers}
    if 0 < len(patterns) <= _MOST_PATTERNS and by_pattern[0] > by_answer[0]:
        listed = [[list(pattern), counts] for pattern, counts in sorted(patterns.items())]
        cells = {"prior": by_pattern[1], "answers": answers, "patterns": listed}
    circuit["cells"] = cells
    rows = int(groups.counts.sum())
    for gate, held in zip(circuit["gates"], coverage, strict=True):
        gate["rows"] = held
    trace = circuit["trace"]
    different = len(patterns) or sum(any(counts) for counts in answers)
    both = [counts for counts in (patterns.values() if patterns else answers) if all(counts)]
    trace["data"] = {
        "rows": rows,
        "distinct": different,
        "contradictory": len(both),
        "tied": sum(zeros == ones for zeros, ones in both),
        "positive": answers[0][1] + answers[1][1],
        "weighted": False,
    }
    trace["errors"] = answers[0][1] + answers[1][0]
    left = trace["data"]["positive"]
    for t, stage in enumerate(trace["stages"]):
        after = stage_errors(groups, labels, t + 1)
        stage.update(rows=rows, errors_before=left, errors_after=after, error_weight_after=after * 1_000_000)
        left = after


def stage_errors(groups: Groups, labels: NDArray[Any], stages: int, parts: tuple[int, ...] = (0, 1, 2)) -> int:
    """Rows of these parts that the first so many stages get wrong."""
    answer = (groups.keys[:, 1 : 1 + stages] > 0).sum(axis=1) % 2
    wrong = (answer != labels) & np.isin(groups.parts, parts)
    return int(groups.counts[wrong].sum())


def without_stages(circuit: dict[str, Any], stages: int) -> None:
    """Leave the first so many stages of a circuit of a file."""
    kept: list[dict[str, Any]] = []
    places: dict[int, int] = {}
    for g, gate in enumerate(circuit["gates"]):
        role = gate.get("role", {})
        if role.get("stage", 0) > stages:
            continue
        gate = json.loads(json.dumps(gate))
        if "output" in role:
            gate["literals"] = [literal for literal in gate["literals"] if literal["gate"] in places]
        for literal in gate["literals"]:
            if "gate" in literal:
                literal["gate"] = places[literal["gate"]]
        places[g] = len(kept)
        kept.append(gate)
    circuit["gates"] = kept
    circuit["output"] = {**circuit["output"], "gate": places[circuit["output"]["gate"]]}
    circuit["trace"]["stages"] = circuit["trace"]["stages"][:stages]


def read_model(file: dict[str, Any]) -> _macchiato.Model:
    """The model of a file that was changed, checked."""
    return _macchiato.Model.from_bytes(json.dumps(file).encode(), "the model of the table")
