"""What all rows of a table contradict of a model that a sample gave, and the search that is done again for it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _macchiato
from ._classifier import MacchiatoClassifier
from ._file_gates import answers, gates_of
from ._questions import Groups
from ._table_counts import Counts, as_counted_once
from ._table_job import Job

#: A deviation of all rows from a sample's finding that chance does not make: this many standard deviations.
SIGNIFICANT = 5.0

#: The most tests whose cells are counted together when the search is done again.
MOST_TESTS = 20


class Again:
    """The search on cells of all rows."""

    def __init__(self, job: Job, counts: Counts) -> None:
        self.job, self.counts = job, counts

    def search(self, rule: MacchiatoClassifier) -> bool:
        """Search the cells of all rows where these contradict the sample; whether the model changed."""
        if not rule._model.learned or rule.method != "auto":
            return False
        tests = self.contradicting(rule._model)
        if not tests:
            return False
        groups = self.job.asked.grouped(rule._model, "tests", tests, self.job.classes)
        if groups is None:
            self.job.tell(f"the cells of {len(tests)} tests are too many to search again")
            return False
        known = groups.labels >= 0
        search = known & (groups.parts == 0)
        names = [rule._model.bit_names[test] for test in tests]
        labels = np.array(self.job.classes, dtype=object)[groups.labels[search]]
        self.job.tell(f"searching {int(search.sum())} cells of {int(groups.counts[search].sum())} rows again ...")
        # The cells have no columns but tests: what is excluded has none.
        cells = _boolean_table(groups.keys[search], names)
        again = self.job.learn(cells, labels.tolist(), groups.counts[search].astype(float), exclude=None)
        file = json.loads(rule._model.to_bytes())
        if again._model.classes != rule._model.classes:
            return False
        file["circuits"] = json.loads(again._model.to_bytes())["circuits"]
        file.pop("holdout", None)
        # Whichever errs less on the rows that neither has read.
        before = self.wrong(rule._model, groups, tests, file=None)
        after = self.wrong(rule._model, groups, tests, file=file)
        better = after < before
        for circuit in file["circuits"]:
            as_counted_once(circuit)
        self.job.found["searches"].append(
            {
                "rows": int(groups.counts[search].sum()),
                "from": f"the cells of {len(tests)} tests on all rows",
                "judged": {"before": before, "after": after},
                "taken": better,
            }
        )
        if better:
            rule._learned(self.counts.counted(file), rule._measures)
        return better

    def contradicting(self, model: _macchiato.Model) -> list[int]:
        """The tests to search again: those that the model reads, and those on which the rows contradict it; none if none does.

        Only rows to search are looked at: those that judge and those that bound the error decide nothing here.
        """
        split = self.job.asked.split(model, self.job.classes)
        split = split[split[:, 2] == 0]
        predicted, labels, counts, held = split[:, 0], split[:, 1], split[:, 3], split[:, 4:]
        scores = np.zeros(held.shape[1])
        for answer in np.unique(predicted):
            mine = predicted == answer
            right = mine & (labels == answer)
            for sides in (held, counts[:, None] - held):
                good, bad = sides[right].sum(axis=0), sides[mine & ~right].sum(axis=0)
                scores = np.maximum(scores, (bad - good) / np.sqrt(np.maximum(1, bad + good)))
        contradicting = [int(test) for test in np.argsort(-scores, kind="stable") if scores[test] > SIGNIFICANT]
        read = tests_read(model)
        if not contradicting and len(read) <= MOST_TESTS:
            return read if self.contradicted_cells(model, read) else []
        chosen = sorted({*read[:MOST_TESTS], *contradicting[: max(0, MOST_TESTS - len(read))]})
        return chosen if contradicting else []

    def contradicted_cells(self, model: _macchiato.Model, tests: list[int]) -> bool:
        """Whether a cell of the tests that the model reads has mostly other labels than the model answers."""
        groups = self.job.asked.grouped(model, "tests", tests, self.job.classes)
        if groups is None or len(model.learned) != 1:
            return False
        looked = groups.parts == 0
        cells, place = np.unique(groups.keys[looked], axis=0, return_inverse=True)
        votes = np.zeros((len(cells), 2))
        np.add.at(votes, (place.reshape(-1), (groups.labels[looked] == model.learned[0]).astype(int)), groups.counts[looked])
        answer = self.answer(json.loads(model.to_bytes()), model, cells, tests)
        rows = np.arange(len(cells))
        bad, good = votes[rows, 1 - answer], votes[rows, answer]
        return bool(((bad - good) / np.sqrt(np.maximum(1, bad + good)) > SIGNIFICANT).any())

    def answer(self, file: dict[str, Any], model: _macchiato.Model, cells: Any, tests: list[int], circuit: int = 0) -> Any:
        """What a circuit answers on cells of these tests."""
        bits = np.zeros((len(cells), len(model.bit_names)), dtype=np.int64)
        bits[:, tests] = cells
        return answers(gates_of(file["circuits"][circuit], model.bit_names), bits)

    def wrong(self, model: _macchiato.Model, groups: Groups, tests: list[int], file: dict[str, Any] | None) -> int:
        """Wrong answers of the circuits on the judging rows."""
        judged = groups.parts == 1
        file = file or json.loads(model.to_bytes())
        wrong = 0
        for number, own in enumerate(model.learned):
            answer = self.answer(file, model, groups.keys[judged], tests, number)
            wrong += int(groups.counts[judged][answer != (groups.labels[judged] == own)].sum())
        return wrong


def tests_read(model: _macchiato.Model) -> list[int]:
    return sorted({bit for number in range(len(model.learned)) for bit in model.circuit(number).support})


def _boolean_table(bits: Any, names: list[str]) -> Any:
    import pyarrow as pa

    return pa.table({name: pa.array(bits[:, i].astype(bool)) for i, name in enumerate(names)})
