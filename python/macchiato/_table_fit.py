"""Learning from a table that stays where it is.

The structure is searched on a sample. What the model then says of rows is counted over all of them: tables, coverage, probabilities,
confusion. Stages are judged on rows that the search never read, and the error is bounded by rows that decided nothing.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _macchiato
from ._bounds import error_bound
from ._classifier import MacchiatoClassifier
from ._engine import Told
from ._file_gates import answers, gates_of
from ._macchiato import FrameError, ParamError, TargetError
from ._paper_table import Paper
from ._questions import Groups, InEngine, InMemory, Questions, is_number
from ._recount import read_model, recount, stage_errors, without_stages
from ._sources import open_source
from ._threads import InterruptedWarning

#: Rows of the sample that is searched: what the search gains from more is small, and it fits anywhere.
SAMPLE = 65_536

#: A deviation of all rows from a sample's finding that chance does not make: this many standard deviations.
SIGNIFICANT = 5.0

#: The most tests whose cells are counted together when the search is done again.
MOST_TESTS = 20

#: How often what all rows contradict is searched again.
AGAIN = 3

# Parameters that need the rows themselves.
_IN_MEMORY = ("class_weight", "exclude", "monotone")


class LeftOutWarning(UserWarning):
    """A column that the sample took for one of 0 and 1, or true and false, and other rows do not."""


def fit_table(
    source: Any,
    target: str,
    key: str | None = None,
    *,
    sample: int = SAMPLE,
    confidence: float = 0.95,
    verbose: int = 0,
    **parameters: Any,
) -> MacchiatoClassifier:
    """Learn from a table in an engine, of any number of rows.

    Parameters
    ----------
    source : path, glob, DuckDB relation, (connection, table), Spark DataFrame, Ibis table or pyarrow Table
        The rows. Files are Parquet or CSV and are read by DuckDB (``macchiato[duckdb]``); a Spark DataFrame needs ``macchiato[spark]``.
        A pyarrow Table is counted in memory, by the same steps.
    target : str
        The column to predict.
    key : str, optional
        A column that tells rows apart; it is no input. The sample is drawn by its hash, so that every engine draws the same rows; without
        it, by that of the whole row.
    sample : int, default=65536
        Rows that are searched, about.
    confidence : float, default=0.95
        That of the error bound.
    verbose : int, default=0
        Above 0, says what is asked and how long it took.
    **parameters
        Those of :class:`MacchiatoClassifier`, but for `class_weight`, `exclude` and `monotone`, which need the rows in memory.

    Returns
    -------
    MacchiatoClassifier
        Fitted. Its counts and probabilities are those of all rows. ``table_`` says what came from where.

    Raises
    ------
    MacchiatoError
        Files that do not go together, a target with gaps, infinite numbers: found before anything is learned.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from macchiato import fit_table
    >>> rows = pa.table({"id": range(4000), "age": [i % 80 for i in range(4000)], "old": [i % 80 > 41 for i in range(4000)]})
    >>> rule = fit_table(rows, "old", key="id")
    >>> print(rule.circuit_)
    old = True if age > 41.5
    >>> rule.table_["rows"], rule.table_["wrong"]
    (4000, 0)
    """
    for parameter in _IN_MEMORY:
        if parameters.get(parameter) is not None:
            raise ParamError(f"{parameter} is a parameter of fits in memory, not of fit_table: leave it out, or fit a sample")
    tell: Callable[[str], Any] = print if verbose else lambda words: None
    asked: Questions
    if (type(source).__module__.partition(".")[0], type(source).__name__) == ("pyarrow", "Table"):
        name, asked = "memory", InMemory(source, target, key)
    else:
        opened = open_source(source)
        name = opened.engine.dialect
        asked = InEngine(Told(opened.engine, tell), opened.table, target, key)
        if opened.rows is not None and opened.rows != asked.rows:
            raise FrameError(f"{opened.name}: the files have {opened.rows} rows, and the engine reads {asked.rows}")
    return _Fit(asked, name, target, key, (sample, confidence), tell, parameters).run()


class _Fit:
    def __init__(
        self,
        asked: Questions,
        engine: str,
        target: str,
        key: str | None,
        numbers: tuple[int, float],
        tell: Callable[[str], Any],
        parameters: dict[str, Any],
    ) -> None:
        self.asked, self.target, self.key, self.tell, self.parameters = asked, target, key, tell, parameters
        self.sample_rows, self.confidence = numbers
        self.found: dict[str, Any] = {"engine": engine, "rows": asked.rows, "left_out": {}, "searches": []}

    def run(self) -> MacchiatoClassifier:
        classes = self.check()
        share = min(1.0, self.sample_rows / max(1.0, 0.75 * self.asked.rows))
        # In memory Algorithm 1 takes all rows as they are.
        whole = isinstance(self.asked, InMemory) and self.parameters.get("method") == "paper"
        rows = self.asked.table if whole and isinstance(self.asked, InMemory) else self.asked.sample(share)
        if rows.num_rows == 0:
            raise FrameError("the sample has no rows: give a larger sample")
        self.found["sample"] = rows.num_rows
        rule = self.search(rows, classes)
        self.classes = self.in_order(rule, classes)
        if self.parameters.get("method") == "paper" and isinstance(self.asked, InEngine):
            self.learn_as_the_paper(rule, self.asked)
        for _ in range(AGAIN):
            if not self.search_again(rule):
                break
        self.count(rule)
        return rule

    # ---- Before anything is learned -----------------------------------------------------------------------------------

    def check(self) -> list[Any]:
        """The classes, after what cannot be learned from is refused."""
        asked = self.asked
        if asked.rows == 0:
            raise FrameError("the table has no rows")
        for name, role in ((self.target, "target"), (self.key, "key")):
            if name is not None and name not in asked.columns:
                raise FrameError(f"no column {name!r}, which is to be the {role}: there are {', '.join(asked.columns)}")
        self.profile = asked.profile()
        for name, column in self.profile.items():
            if column.infinite and name != self.key:
                error = FrameError(f"column {name!r}: {column.infinite} rows have an infinite number: make them NULL")
                error.column = name
                raise error
        if self.profile[self.target].gaps:
            gaps = self.profile[self.target].gaps
            error_ = TargetError(f"the target {self.target!r} has no value in {gaps} rows: remove them, or give them one")
            error_.column = self.target
            raise error_
        levels = asked.levels()
        if len(levels) > 1000:
            raise TargetError(f"the target {self.target!r} has more than 1000 different values: is it a measure?")
        missing, repeated = asked.keys()
        self.found["keys"] = {"missing": missing, "repeated": repeated}
        if missing or repeated:
            self.tell(f"the key {self.key!r}: {missing} rows without one, {repeated} rows whose key another row has")
        self.found["classes"] = {str(level): count for level, count in sorted(levels, key=lambda pair: str(pair[0]))}
        return [level for level, _ in levels]

    # ---- On the sample -----------------------------------------------------------------------------------------------

    def inputs(self, rows: Any) -> Any:
        left_out = set(self.found["left_out"]) | {self.target, self.key}
        return rows.select([name for name in rows.column_names if name not in left_out])

    def search(self, rows: Any, classes: Sequence[Any]) -> MacchiatoClassifier:
        """The ordinary fit; columns whose type other rows contradict are left out, and said."""
        for name, column in self.profile.items():
            if name in {self.target, self.key} or not is_number(column.kind) or not column.measures:
                continue
            values = rows[name].cast("float64").to_numpy()
            if np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
                self.leave_out(name, f"{column.measures} rows are neither 0 nor 1, and none of the sample")
        while True:
            rule = MacchiatoClassifier(**self.parameters)
            self.tell(f"searching {rows.num_rows} rows ...")
            labels = rows[self.target].to_pylist()
            with warnings.catch_warnings():
                warnings.simplefilter("error", InterruptedWarning)
                try:
                    rule.fit(self.inputs(rows), _target(labels, self.target))
                except InterruptedWarning:
                    raise KeyboardInterrupt from None
            if not self.contradicted_columns(rule):
                break
        self.found["searches"].append({"rows": rows.num_rows, "from": "the sample", "circuit": str(rule.circuit_)})
        return rule

    def contradicted_columns(self, rule: MacchiatoClassifier) -> bool:
        """Leave out Boolean columns of texts that have other texts elsewhere; whether there were any."""
        model, read = rule._model, set(_read(rule._model))
        any_refused = bool(read) and self.asked.refused(model, sorted(read)) > 0
        found = False
        for column, (name, _) in enumerate(model.columns if any_refused else []):
            tests = [test for test in sorted(read) if model.bit_columns[test] == column]
            refused = self.asked.refused(model, tests) if tests else 0
            if refused:
                self.leave_out(name, f"{refused} rows are neither true nor false, and none of the sample")
                found = True
        return found

    def leave_out(self, name: str, why: str) -> None:
        self.found["left_out"][name] = why
        warnings.warn(f"column {name!r} is left out: {why}", LeftOutWarning, stacklevel=6)

    def in_order(self, rule: MacchiatoClassifier, classes: Sequence[Any]) -> list[Any]:
        """The target's values in the order of the model's classes."""
        values = rule.classes_.tolist()
        ordered = [values[place] for place in rule._places]
        strange = [level for level in classes if level not in values]
        if strange:
            self.found["unseen_classes"] = [str(level) for level in strange]
            warnings.warn(f"no row of the sample has these classes, which count as wrong: {strange}", UserWarning, stacklevel=5)
        return ordered

    # ---- On all rows --------------------------------------------------------------------------------------------------

    def search_again(self, rule: MacchiatoClassifier) -> bool:
        """Search the cells of all rows where these contradict the sample; whether the model changed."""
        if not rule._model.learned or rule.method != "auto":
            return False
        tests = self.contradicting(rule._model)
        if not tests:
            return False
        groups = self.asked.grouped(rule._model, "tests", tests, self.classes)
        if groups is None:
            self.tell(f"the cells of {len(tests)} tests are too many to search again")
            return False
        known = groups.labels >= 0
        search = known & (groups.parts == 0)
        names = [rule._model.bit_names[test] for test in tests]
        again = MacchiatoClassifier(**self.parameters)
        labels = np.array(self.classes, dtype=object)[groups.labels[search]]
        self.tell(f"searching {int(search.sum())} cells of {int(groups.counts[search].sum())} rows again ...")
        again.fit(_boolean_table(groups.keys[search], names), _target(labels.tolist(), self.target), groups.counts[search].astype(float))
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
            _as_counted_once(circuit)
        self.found["searches"].append(
            {
                "rows": int(groups.counts[search].sum()),
                "from": f"the cells of {len(tests)} tests on all rows",
                "judged": {"before": before, "after": after},
                "taken": better,
            }
        )
        if better:
            rule._learned(self.counted(file), rule._measures)
        return better

    def learn_as_the_paper(self, rule: MacchiatoClassifier, asked: InEngine) -> None:
        """Algorithm 1 on all rows, over the tests that the sample chose."""
        file = json.loads(rule._model.to_bytes())
        file.pop("holdout", None)
        data = {}
        for number, own in enumerate(rule._model.learned):
            made = Paper(asked, rule._model, self.classes, own, self.parameters).run()
            data[number] = dict(made["trace"]["data"])
            file["circuits"][number].update(made)
        counted = json.loads(self.counted(file).to_bytes())
        for number, rows in data.items():
            counted["circuits"][number]["trace"]["data"] = rows
        self.found["searches"].append({"rows": asked.rows, "from": "all rows, by Algorithm 1"})
        rule._learned(read_model(counted), rule._measures)

    def contradicting(self, model: _macchiato.Model) -> list[int]:
        """The tests to search again: those that the model reads, and those on which all rows contradict it; none if none does."""
        split = self.asked.split(model, self.classes)
        predicted, labels, counts, held = split[:, 0], split[:, 1], split[:, 3], split[:, 4:]
        scores = np.zeros(held.shape[1])
        for answer in np.unique(predicted):
            mine = predicted == answer
            right = mine & (labels == answer)
            for sides in (held, counts[:, None] - held):
                good, bad = sides[right].sum(axis=0), sides[mine & ~right].sum(axis=0)
                scores = np.maximum(scores, (bad - good) / np.sqrt(np.maximum(1, bad + good)))
        contradicting = [int(test) for test in np.argsort(-scores, kind="stable") if scores[test] > SIGNIFICANT]
        read = _read(model)
        if not contradicting and len(read) <= MOST_TESTS:
            return read if self.contradicted_cells(model, read) else []
        chosen = sorted({*read[:MOST_TESTS], *contradicting[: max(0, MOST_TESTS - len(read))]})
        return chosen if contradicting else []

    def contradicted_cells(self, model: _macchiato.Model, tests: list[int]) -> bool:
        """Whether a cell of the tests that the model reads has mostly other labels than the model answers."""
        groups = self.asked.grouped(model, "tests", tests, self.classes)
        if groups is None or len(model.learned) != 1:
            return False
        cells, place = np.unique(groups.keys, axis=0, return_inverse=True)
        votes = np.zeros((len(cells), 2))
        np.add.at(votes, (place.reshape(-1), (groups.labels == model.learned[0]).astype(int)), groups.counts)
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

    def counted(self, file: dict[str, Any]) -> _macchiato.Model:
        """The model of a file with the counts of all rows in place of its own; stages that do not help are cut off."""
        file = json.loads(json.dumps(file))
        shape = _shaped(file)
        for number, own in enumerate(shape.learned):
            circuit = file["circuits"][number]
            groups = self.asked.grouped(shape, "keys", [number], self.classes)
            if groups is None:
                raise FrameError("the circuit has more patterns than can be counted: give a smaller max_stages")
            stages = self.judged_stages(circuit, groups, own)
            if stages is not None:
                without_stages(circuit, stages)
                shape = _shaped(file)
                groups = self.asked.grouped(shape, "keys", [number], self.classes)
                assert groups is not None
            recount(circuit, shape.bit_names, groups, own, self.asked.coverage(shape, number))
        return read_model(file)

    def judged_stages(self, circuit: dict[str, Any], groups: Groups, own: int) -> int | None:
        """How many stages the rows that were not searched vote for, where that is fewer."""
        stages = len(circuit["trace"]["stages"])
        if stages < 2 or self.parameters.get("method", "auto") != "auto":
            return None
        labels = (groups.labels == own).astype(int)
        errors = [stage_errors(groups, labels, count, (1,)) for count in range(1, stages + 1)]
        best = 1 + int(np.argmin(errors))
        self.found.setdefault("stages", []).append({"judged_errors": errors, "kept": best})
        return best if best < stages else None

    def count(self, rule: MacchiatoClassifier) -> None:
        """Every count from all rows, and the error bound."""
        paper = rule.method == "paper"
        file = json.loads(rule._model.to_bytes())
        model = self.counted(file) if rule._model.learned and not paper else rule._model
        if model.learned:
            split = self.asked.confusion(model, self.classes)
            right = split[:, 0] == split[:, 1]
            self.found["confusion"] = _confusion(split, model.classes)
            self.found["wrong"] = int(split[~right, 3].sum())
            bounding = split[:, 2] == 2
            rows, wrong = int(split[bounding, 3].sum()), int(split[bounding & ~right, 3].sum())
            # Algorithm 1 has read every row.
            if rows and len(model.learned) == 1 and not paper:
                bound = error_bound(wrong, rows, self.confidence)
                self.found["error_bound"] = {"rows": rows, "wrong": wrong, "confidence": self.confidence, "bound": bound}
                counted = json.loads(model.to_bytes())
                counted["holdout"] = {"rows": rows, "wrong": wrong, "confidence": f"{self.confidence:.9f}".rstrip("0")}
                model = read_model(counted)
        else:
            self.found["wrong"] = 0
        rule._learned(model, rule._measures)
        rule.table_ = self.found


class _Named(np.ndarray):
    """Labels with the name of their column."""

    name: str


def _target(labels: list[Any], name: str) -> Any:
    named = np.array(labels).view(_Named)
    named.name = name
    return named


def _read(model: _macchiato.Model) -> list[int]:
    return sorted({bit for number in range(len(model.learned)) for bit in model.circuit(number).support})


def _boolean_table(bits: Any, names: list[str]) -> Any:
    import pyarrow as pa

    return pa.table({name: pa.array(bits[:, i].astype(bool)) for i, name in enumerate(names)})


def _as_counted_once(circuit: dict[str, Any]) -> None:
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
    _as_counted_once(circuit)
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
