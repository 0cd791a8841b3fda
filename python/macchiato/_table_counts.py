"""A model whose every count comes from all rows of a table, and the bound on its error."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _macchiato
from ._bounds import error_bound
from ._classifier import MacchiatoClassifier
from ._macchiato import FrameError
from ._questions import Groups
from ._recount import read_model, recount, stage_errors, without_stages
from ._table_job import Job


class Counts:
    """The counts of all rows."""

    def __init__(self, job: Job, confidence: float) -> None:
        self.job, self.confidence = job, confidence

    def counted(self, file: dict[str, Any]) -> _macchiato.Model:
        """The model of a file with the counts of all rows in place of its own; stages that do not help are cut off."""
        file = json.loads(json.dumps(file))
        shape = _shaped(file)
        for number, own in enumerate(shape.learned):
            circuit = file["circuits"][number]
            groups = self.job.asked.grouped(shape, "keys", [number], self.job.classes)
            if groups is None:
                raise FrameError("the circuit has more patterns than can be counted: give a smaller max_stages")
            stages = self.judged_stages(circuit, groups, own)
            if stages is not None:
                without_stages(circuit, stages)
                shape = _shaped(file)
                groups = self.job.asked.grouped(shape, "keys", [number], self.job.classes)
                assert groups is not None
            recount(circuit, shape.bit_names, groups, own, self.job.asked.coverage(shape, number))
        return read_model(file)

    def judged_stages(self, circuit: dict[str, Any], groups: Groups, own: int) -> int | None:
        """How many stages the rows that were not searched vote for, where that is fewer."""
        stages = len(circuit["trace"]["stages"])
        if stages < 2 or self.job.parameters.get("method", "auto") != "auto":
            return None
        labels = (groups.labels == own).astype(int)
        errors = [stage_errors(groups, labels, count, (1,)) for count in range(1, stages + 1)]
        best = 1 + int(np.argmin(errors))
        self.job.found.setdefault("stages", []).append({"judged_errors": errors, "kept": best})
        return best if best < stages else None

    def finish(self, rule: MacchiatoClassifier) -> None:
        """Every count from all rows, and the error bound."""
        paper = rule.method == "paper"
        file = json.loads(rule._model.to_bytes())
        model = self.counted(file) if rule._model.learned and not paper else rule._model
        if model.learned:
            split = self.job.asked.confusion(model, self.job.classes)
            right = split[:, 0] == split[:, 1]
            self.job.found["confusion"] = _confusion(split, model.classes)
            self.job.found["wrong"] = int(split[~right, 3].sum())
            bounding = split[:, 2] == 2
            rows, wrong = int(split[bounding, 3].sum()), int(split[bounding & ~right, 3].sum())
            # Algorithm 1 has read every row.
            if rows and len(model.learned) == 1 and not paper:
                bound = error_bound(wrong, rows, self.confidence)
                self.job.found["error_bound"] = {"rows": rows, "wrong": wrong, "confidence": self.confidence, "bound": bound}
                counted = json.loads(model.to_bytes())
                counted["holdout"] = {"rows": rows, "wrong": wrong, "confidence": f"{self.confidence:.9f}".rstrip("0")}
                model = read_model(counted)
        else:
            self.job.found["wrong"] = 0
        rule._learned(model, rule._measures)
        rule.table_ = self.job.found


def as_counted_once(circuit: dict[str, Any]) -> None:
    """A circuit of weighted cells, until it is counted: what its decision counted is not in rows."""
    circuit["trace"].pop("decision", None)
    circuit.pop("alternatives", None)


def _shaped(file: dict[str, Any]) -> _macchiato.Model:
    """A model of the file's circuits, whatever its counts say: to ask for the counts."""
    file = json.loads(json.dumps(file))
    for circuit in file["circuits"]:
        _count_nothing(circuit)
    return read_model(file)


def _count_nothing(circuit: dict[str, Any]) -> None:
    """One row of no class on which no gate holds."""
    trace = circuit["trace"]
    for gate in circuit["gates"]:
        gate["rows"] = 0
    circuit["cells"] = {"prior": 0.02, "answers": [[1, 0], [0, 0]]}
    trace["data"] = {"rows": 1, "distinct": 1, "contradictory": 0, "tied": 0, "positive": 0, "weighted": False}
    trace["errors"] = 0
    as_counted_once(circuit)
    for stage in trace["stages"]:
        stage.update(rows=1, errors_before=0, errors_after=0, error_weight_after=0)
        stage["cells"] = {"on": 0, "off": 0, "tied": 0}
        if "against" in stage:
            stage["against"] = 0


def _confusion(split: Any, classes: list[str]) -> list[dict[str, Any]]:
    """Rows by class and prediction, all parts together."""
    pairs: dict[tuple[int, int], int] = {}
    for predicted, label, _, rows in split[:, :4].tolist():
        pairs[label, predicted] = pairs.get((label, predicted), 0) + rows
    name = [*classes, "another class"]
    return [
        {"class": name[label], "predicted": classes[predicted], "rows": rows}
        for (label, predicted), rows in sorted(pairs.items())
    ]
