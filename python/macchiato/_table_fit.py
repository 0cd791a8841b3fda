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

from ._classifier import MacchiatoClassifier
from ._engine import Told
from ._macchiato import FrameError, ParamError, TargetError
from ._paper_table import Paper
from ._questions import SEARCHED_SHARE, InEngine, InMemory, Questions, is_number
from ._recount import read_model
from ._sources import open_source
from ._table_again import Again, tests_read
from ._table_counts import Counts
from ._table_job import Job

#: Rows of the sample that is searched: what the search gains from more is small, and it fits anywhere.
SAMPLE = 65_536

#: How often what all rows contradict is searched again.
AGAIN = 3

# Parameters that need the rows themselves.
_IN_MEMORY = ("class_weight", "monotone")


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
        Those of :class:`MacchiatoClassifier`, but for `class_weight` and `monotone`, which need the rows in memory. `exclude` takes names.

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
    exclude = parameters.get("exclude")
    if exclude is not None and (isinstance(exclude, str) or not all(isinstance(name, str) for name in exclude)):
        raise ParamError(f"exclude is {exclude!r}: give a list of names, since the columns of a table have no fixed places")
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
    found: dict[str, Any] = {"engine": name, "rows": asked.rows, "left_out": {}, "searches": []}
    job = Job(asked, target, key, parameters, tell, found)
    return _Fit(job, sample, confidence).run()


class _Fit:
    def __init__(self, job: Job, sample: int, confidence: float) -> None:
        self.job, self.sample_rows = job, sample
        self.counts = Counts(job, confidence)
        #: Columns that are no inputs, or that no circuit may read.
        self.no_inputs = {job.target, job.key, *(job.parameters.get("exclude") or ())}

    def run(self) -> MacchiatoClassifier:
        classes = self.check()
        share = min(1.0, self.sample_rows / max(1.0, SEARCHED_SHARE * self.job.asked.rows))
        # In memory Algorithm 1 takes all rows as they are.
        whole = isinstance(self.job.asked, InMemory) and self.job.parameters.get("method") == "paper"
        rows = self.job.asked.table if whole and isinstance(self.job.asked, InMemory) else self.job.asked.sample(share)
        if rows.num_rows == 0:
            raise FrameError("the sample has no rows: give a larger sample")
        self.job.found["sample"] = rows.num_rows
        rule = self.search(rows, classes)
        self.job.classes = self.in_order(rule, classes)
        if self.job.parameters.get("method") == "paper" and isinstance(self.job.asked, InEngine):
            self.learn_as_the_paper(rule, self.job.asked)
        again = Again(self.job, self.counts)
        for _ in range(AGAIN):
            if not again.search(rule):
                break
        self.counts.finish(rule)
        return rule

    # ---- Before anything is learned -----------------------------------------------------------------------------------

    def check(self) -> list[Any]:
        """The classes, after what cannot be learned from is refused."""
        asked = self.job.asked
        if asked.rows == 0:
            raise FrameError("the table has no rows")
        for name, role in ((self.job.target, "target"), (self.job.key, "key")):
            if name is not None and name not in asked.columns:
                raise FrameError(f"no column {name!r}, which is to be the {role}: there are {', '.join(asked.columns)}")
        self.profile = asked.profile()
        for name, column in self.profile.items():
            if column.infinite and (name not in self.no_inputs or name == self.job.target):
                error = FrameError(f"column {name!r}: {column.infinite} rows have an infinite number: make them NULL")
                error.column = name
                raise error
        if self.profile[self.job.target].gaps:
            gaps = self.profile[self.job.target].gaps
            error_ = TargetError(f"the target {self.job.target!r} has no value in {gaps} rows: remove them, or give them one")
            error_.column = self.job.target
            raise error_
        levels = asked.levels()
        if len(levels) > 1000:
            raise TargetError(f"the target {self.job.target!r} has more than 1000 different values: is it a measure?")
        missing, repeated = asked.keys()
        self.job.found["keys"] = {"missing": missing, "repeated": repeated}
        if missing or repeated:
            self.job.tell(f"the key {self.job.key!r}: {missing} rows without one, {repeated} rows whose key an earlier row has")
        self.job.found["classes"] = {str(level): count for level, count in sorted(levels, key=lambda pair: str(pair[0]))}
        return [level for level, _ in levels]

    # ---- On the sample -----------------------------------------------------------------------------------------------

    def inputs(self, rows: Any) -> Any:
        left_out = set(self.job.found["left_out"]) | {self.job.target, self.job.key}
        return rows.select([name for name in rows.column_names if name not in left_out])

    def search(self, rows: Any, classes: Sequence[Any]) -> MacchiatoClassifier:
        """The ordinary fit; columns whose type other rows contradict are left out, and said."""
        for name, column in self.profile.items():
            if name in self.no_inputs or not is_number(column.kind) or not column.measures:
                continue
            # Whole numbers past 2^53 are rounded: they are not 0 or 1.
            values = rows[name].cast("float64", safe=False).to_numpy()
            if np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
                self.leave_out(name, f"{column.measures} rows are neither 0 nor 1, and none of the sample")
        while True:
            self.job.tell(f"searching {rows.num_rows} rows ...")
            rule = self.job.learn(self.inputs(rows), rows[self.job.target].to_pylist())
            if not self.contradicted_columns(rule):
                break
        self.job.found["searches"].append({"rows": rows.num_rows, "from": "the sample", "circuit": str(rule.circuit_)})
        return rule

    def contradicted_columns(self, rule: MacchiatoClassifier) -> bool:
        """Leave out Boolean columns of texts that have other texts elsewhere; whether there were any."""
        model, read = rule._model, set(tests_read(rule._model))
        any_refused = bool(read) and self.job.asked.refused(model, sorted(read)) > 0
        found = False
        for column, (name, _) in enumerate(model.columns if any_refused else []):
            tests = [test for test in sorted(read) if model.bit_columns[test] == column]
            refused = self.job.asked.refused(model, tests) if tests else 0
            if refused:
                self.leave_out(name, f"{refused} rows are neither true nor false, and none of the sample")
                found = True
        return found

    def leave_out(self, name: str, why: str) -> None:
        self.job.found["left_out"][name] = why
        warnings.warn(f"column {name!r} is left out: {why}", LeftOutWarning, stacklevel=6)

    def in_order(self, rule: MacchiatoClassifier, classes: Sequence[Any]) -> list[Any]:
        """The target's values in the order of the model's classes."""
        values = rule.classes_.tolist()
        ordered = [values[place] for place in rule._places]
        strange = [level for level in classes if level not in values]
        if strange:
            self.job.found["unseen_classes"] = [str(level) for level in strange]
            warnings.warn(f"no row of the sample has these classes, which count as wrong: {strange}", UserWarning, stacklevel=5)
        return ordered

    # ---- On all rows --------------------------------------------------------------------------------------------------

    def learn_as_the_paper(self, rule: MacchiatoClassifier, asked: InEngine) -> None:
        """Algorithm 1 on all rows, over the tests that the sample chose."""
        file = json.loads(rule._model.to_bytes())
        file.pop("holdout", None)
        data = {}
        for number, own in enumerate(rule._model.learned):
            made = Paper(asked, rule._model, self.job.classes, own, self.job.parameters).run()
            data[number] = dict(made["trace"]["data"])
            file["circuits"][number].update(made)
        counted = json.loads(self.counts.counted(file).to_bytes())
        for number, rows in data.items():
            counted["circuits"][number]["trace"]["data"] = rows
        self.job.found["searches"].append({"rows": asked.rows, "from": "all rows, by Algorithm 1"})
        rule._learned(read_model(counted), rule._measures)
