"""Algorithm 1 of the paper over all rows of a table: influences of neighbour pairs, and the majority of each cell, each one query.

A row's tests are the digits of one whole number, its point. Rows of one point vote for its label, and a point whose vote is tied is in no pair,
as in memory (``docs/theory.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from . import _macchiato
from ._macchiato import ParamError
from ._minimize import minimize
from ._questions import InEngine

#: Tests of a point: the digits of a 64-bit number, without its sign.
MOST_TESTS = 62

# Input and whether it is 1, of each literal of each term.
_Terms = list[list[tuple[int, bool]]]


@dataclass
class _Stage:
    inputs: list[int]
    terms: _Terms
    trace: dict[str, Any] = field(default_factory=dict)


class Paper:
    """Algorithm 1 for one class of a model whose tests are known."""

    def __init__(self, asked: InEngine, model: _macchiato.Model, classes: Sequence[Any], own: int, parameters: dict[str, Any]) -> None:
        self.asked, self.model, self.own = asked, model, own
        self.names = model.bit_names
        if len(self.names) > MOST_TESTS:
            raise ParamError(
                f"method='paper' in an engine takes up to {MOST_TESTS} tests, and this table has {len(self.names)}: "
                "use method='auto', or fewer columns"
            )
        self.k = parameters.get("max_inputs") or 6
        self.m = parameters.get("max_stages", 20)
        self.tau = Fraction(str(parameters.get("tau", 0.0)))
        self.seed = parameters.get("random_state") or 0
        inner = model.to_sql(
            asked.engine.dialect, asked._labelled(classes), ["macchiato_label"], "tests", list(range(len(self.names)))
        )
        point = " + ".join(f"test_{t} * CAST({1 << t} AS BIGINT)" for t in range(len(self.names)))
        self.points = (
            f"SELECT {point} AS point, sum(CASE WHEN macchiato_label = {own} THEN 1 ELSE 0 END) AS ones, count(*) AS n "
            f"FROM ({inner}) AS tests GROUP BY {point}"
        )
        self.stages: list[_Stage] = []

    def run(self) -> dict[str, Any]:
        """The gates, the output and the trace of a circuit, as a model file has them."""
        stop, changed = "stage_limit", True
        data = self.data()
        left = data["positive"]
        while len(self.stages) < self.m:
            if not changed:
                # The same residual has the same stage again.
                self.stages.append(self.stages[-1])
                continue
            if left == 0:
                stop = "residual_zero"
                break
            influences = self.influences()
            selected = self.select(influences)
            if not selected:
                stop = "no_active_input"
                break
            stage = self.complete(selected)
            self.stages.append(stage)
            after, changed = self.errors(stage)
            stage.trace |= {
                "rows": data["rows"],
                "errors_before": left,
                "errors_after": after,
                "error_weight_after": after * 1_000_000,
                "changed": changed,
                "influences": influences,
            }
            left = after
        return {**self.gates(), "trace": {"data": data, "stop": stop, "errors": left, "stages": [s.trace for s in self.stages]}}

    # ---- Questions -----------------------------------------------------------------------------------------------------

    def _holds(self, stage: _Stage, point: str = "point") -> str:
        """1 where the stage is 1 at a point."""

        def term(literals: list[tuple[int, bool]]) -> str:
            mask = sum(1 << test for test, _ in literals)
            value = sum(1 << test for test, positive in literals if positive)
            return f"({point} & {mask}) = {value}"

        terms = " OR ".join(map(term, stage.terms)) or "1 = 0"
        return f"CASE WHEN {terms} THEN 1 ELSE 0 END"

    def _answer(self, stages: Sequence[_Stage]) -> str:
        return "(" + " + ".join(["0", *map(self._holds, stages)]) + ") % 2"

    def _ask(self, sql: str, what: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.asked.engine.ask(sql, what).to_pylist()
        return rows

    def data(self) -> dict[str, Any]:
        """What the rows are."""
        sql = (
            "SELECT sum(n) AS n, sum(ones) AS ones, count(*) AS points, "
            "sum(CASE WHEN ones > 0 AND ones < n THEN 1 ELSE 0 END) AS both_labels, sum(CASE WHEN 2 * ones = n THEN 1 ELSE 0 END) AS tied "
            f"FROM ({self.points}) AS p"
        )
        found = self._ask(sql, "points")[0]
        return {
            "rows": int(found["n"]),
            "distinct": int(found["points"]),
            "contradictory": int(found["both_labels"]),
            "tied": int(found["tied"]),
            "positive": int(found["ones"]),
            "weighted": False,
        }

    def influences(self) -> list[list[int]]:
        """For each test the neighbour pairs whose residual differs, and all of them."""
        pair = (
            "SELECT {i} AS test, count(*) AS pairs, sum(CASE WHEN a.r <> b.r THEN 1 ELSE 0 END) AS differing "
            "FROM voted AS a JOIN voted AS b ON b.point = a.point + CAST({bit} AS BIGINT) WHERE (a.point & {bit}) = 0"
        )
        pairs = " UNION ALL ".join(pair.format(i=i, bit=1 << i) for i in range(len(self.names)))
        sql = (
            f"WITH voted AS (SELECT point, (CASE WHEN 2 * ones > n THEN 1 ELSE 0 END + {self._answer(self.stages)}) % 2 AS r "
            f"FROM ({self.points}) AS p WHERE 2 * ones <> n) {pairs}"
        )
        found = {row["test"]: row for row in self._ask(sql, "neighbour pairs")}
        return [[int(found[i]["differing"] or 0), int(found[i]["pairs"])] for i in range(len(self.names))]

    def cells(self, selected: list[int]) -> list[tuple[int, int, int]]:
        """Each cell of the selected tests: its digits, rows whose residual is 1, and rows."""
        mask = sum(1 << test for test in selected)
        sql = (
            f"SELECT point & {mask} AS cell, sum(CASE WHEN {self._answer(self.stages)} = 1 THEN n - ones ELSE ones END) AS ones, sum(n) AS n "
            f"FROM ({self.points}) AS p GROUP BY point & {mask}"
        )
        return sorted((int(row["cell"]), int(row["ones"]), int(row["n"])) for row in self._ask(sql, "cells of the stage"))

    def errors(self, stage: _Stage) -> tuple[int, bool]:
        """Rows that the stages get wrong, and whether the last one changes any."""
        sql = (
            f"SELECT sum(CASE WHEN {self._answer(self.stages)} = 1 THEN n - ones ELSE ones END) AS wrong, max({self._holds(stage)}) AS changed "
            f"FROM ({self.points}) AS p"
        )
        found = self._ask(sql, "errors of the stage")[0]
        return int(found["wrong"]), bool(found["changed"])

    # ---- Steps ---------------------------------------------------------------------------------------------------------

    def select(self, influences: list[list[int]]) -> list[int]:
        """The K tests of greatest influence above tau, ties to the smaller number."""
        shares = [Fraction(differing, max(1, pairs)) for differing, pairs in influences]
        active = [test for test, share in enumerate(shares) if share > self.tau]
        return sorted(sorted(active, key=lambda test: (-shares[test], test))[: self.k])

    def complete(self, selected: list[int]) -> _Stage:
        """The smallest OR of ANDs that follows the majority of every cell."""
        rows: dict[int, list[list[int]]] = {1: [], 0: []}
        tied = 0
        for cell, ones, n in self.cells(selected):
            if 2 * ones == n:
                tied += 1
            else:
                rows[int(2 * ones > n)].append([cell >> test & 1 for test in selected])
        width = len(selected)
        on, off = (np.array(rows[label], dtype=np.uint8).reshape(-1, width) for label in (1, 0))
        names = [self.names[test] for test in selected]
        found = minimize(on, off, names=names, random_state=self.seed)
        terms = [[(selected[p], positive) for p, positive in term] for term in found.circuit._core.stages[0]]
        cells = {"on": len(rows[1]), "off": len(rows[0]), "tied": tied}
        return _Stage(selected, terms, {"inputs": names, "cells": cells, "lower_bound": found.lower_bound})

    def gates(self) -> dict[str, Any]:
        """The XOR of the stages."""
        gates: list[dict[str, Any]] = []
        tops = []
        for s, stage in enumerate(self.stages, start=1):
            terms = []
            for t, term in enumerate(stage.terms, start=1):
                literals = [
                    {"input": self.names[test], **({} if positive else {"negated": True})} for test, positive in term
                ]
                terms.append(len(gates))
                gates.append({"rule": "and", "literals": literals, "role": {"stage": s, "term": t}, "rows": 0})
            tops.append(len(gates))
            gates.append({"rule": "or", "literals": [{"gate": term} for term in terms], "role": {"stage": s}, "rows": 0})
        gates.append({"rule": "xor", "literals": [{"gate": top} for top in tops], "role": {"output": 0}, "rows": 0})
        return {"gates": gates, "output": {"gate": len(gates) - 1}}
