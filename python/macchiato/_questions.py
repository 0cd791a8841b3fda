"""What a learner asks of a table's rows: each question is one query, and the same rows give the same answer on every engine.

:class:`InEngine` asks an engine in SQL, :class:`InMemory` counts an Arrow table; both answer with the same types.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from . import _macchiato
from ._engine import Told, literal, quoted
from ._file_gates import answer_of, gate_values, keys_of
from ._tables import Table

#: The first digits of a row's hash say what it is for: below `c` to search, `c` and `d` to judge, `e` and `f` to bound the error.
JUDGED, BOUNDED = "c0000000", "e0000000"
SEARCHED_SHARE = 0.75

#: The most groups of an answer that are fetched.
MOST_GROUPS = 1 << 18

_FLOATS = ("float", "double", "halffloat", "decimal")
_INTEGERS = ("int", "uint")


@dataclass
class Groups:
    """Rows that agree in some columns: how many there are."""

    #: One row for each group, and a column for each thing that they agree in.
    keys: NDArray[np.int64]
    #: The class's number, -1 for a class that the model does not have.
    labels: NDArray[np.int64]
    #: 0 for rows to search, 1 to judge, 2 to bound the error.
    parts: NDArray[np.int64]
    counts: NDArray[np.int64]


@dataclass
class Profile:
    """What a column holds over all rows."""

    kind: str
    gaps: int
    infinite: int
    #: Numbers that are neither 0 nor 1.
    measures: int


class Questions(Protocol):
    """The questions."""

    rows: int
    columns: dict[str, str]

    def profile(self) -> dict[str, Profile]:
        """Gaps, infinite numbers and numbers besides 0 and 1, for each column."""

    def levels(self) -> list[tuple[Any, int]]:
        """The values of the target and their rows, in no order."""

    def keys(self) -> tuple[int, int]:
        """Rows without a key, and rows besides the first of each key."""

    def sample(self, share: float) -> Any:
        """About this share of the rows to search, by their hash: an Arrow table in the order of the hashes."""

    def grouped(self, model: _macchiato.Model, give: str, which: Sequence[int], classes: Sequence[Any]) -> Groups | None:
        """The rows by the tests, or by the keys of a circuit after its answer; refused rows are left out. None if too many groups."""

    def refused(self, model: _macchiato.Model, tests: Sequence[int]) -> int:
        """Rows that the model refuses."""

    def coverage(self, model: _macchiato.Model, circuit: int) -> list[int]:
        """Rows on which each gate holds."""

    def confusion(self, model: _macchiato.Model, classes: Sequence[Any]) -> NDArray[np.int64]:
        """Prediction, class, part and rows."""

    def split(self, model: _macchiato.Model, classes: Sequence[Any]) -> NDArray[np.int64]:
        """The same, and then the rows on which each test of the model holds."""


def is_float(kind: str) -> bool:
    """Whether an Arrow type is one of floats."""
    return kind.startswith(_FLOATS)


def is_number(kind: str) -> bool:
    """Whether an Arrow type is one of numbers."""
    return kind.startswith(_FLOATS + _INTEGERS)


class InEngine:
    """The questions in SQL."""

    def __init__(self, engine: Told, table: str, target: str, key: str | None) -> None:
        self.engine, self.table, self.target, self.key = engine, table, target, key
        schema = engine.ask(f"SELECT * FROM {table} LIMIT 0", "schema").schema
        self.columns = {field.name: str(field.type) for field in schema}
        self.rows = int(engine.ask(f"SELECT count(*) AS n FROM {table}", "rows")["n"][0].as_py())

    def _name(self, name: str) -> str:
        return quoted(self.engine.dialect, name)

    def _hash(self) -> str:
        """The first digits of a hash of the key, or of the whole row. Floats are spelled differently by engines: their thousandths are not."""
        text = "STRING" if self.engine.dialect == "spark" else "VARCHAR"

        def spelled(name: str) -> str:
            column, kind = self._name(name), self.columns[name]
            if is_float(kind):
                number = f"CAST({column} AS DOUBLE)"
                column = f"CASE WHEN abs({number}) < 1e12 THEN CAST(floor({number} * 1000) AS BIGINT) END"
            return f"coalesce(CAST({column} AS {text}), '')"

        names = [self.key] if self.key is not None else list(self.columns)
        return f"substr(md5(concat_ws('|', {', '.join(map(spelled, names))})), 1, 8)"

    def profile(self) -> dict[str, Profile]:
        """One query over all columns."""
        asked = []
        for i, (name, kind) in enumerate(self.columns.items()):
            column = self._name(name)
            gap, infinite, measure = f"{column} IS NULL", "1 = 0", "1 = 0"
            if is_number(kind):
                number = f"CAST({column} AS DOUBLE)"
                measure = f"{number} <> 0e0 AND {number} <> 1e0"
                if is_float(kind):
                    gap = f"{column} IS NULL OR isnan({number})"
                    infinite = f"abs({number}) > 1.7976931348623157e308 AND NOT isnan({number})"
            for word, condition in (("gaps", gap), ("infinite", infinite), ("measures", measure)):
                asked.append(f"sum(CASE WHEN {condition} THEN 1 ELSE 0 END) AS {word}_{i}")
        found = self.engine.ask(f"SELECT {', '.join(asked)} FROM {self.table}", "gaps and odd values").to_pylist()[0]
        return {
            name: Profile(kind, *(int(found[f"{word}_{i}"] or 0) for word in ("gaps", "infinite", "measures")))
            for i, (name, kind) in enumerate(self.columns.items())
        }

    def levels(self) -> list[tuple[Any, int]]:
        """One query; more than a thousand classes are not fetched."""
        target = self._name(self.target)
        sql = f"SELECT {target} AS level, count(*) AS n FROM {self.table} GROUP BY {target} LIMIT 1002"
        return [(row["level"], int(row["n"])) for row in self.engine.ask(sql, "classes").to_pylist()]

    def keys(self) -> tuple[int, int]:
        """One query."""
        if self.key is None:
            return 0, 0
        key = self._name(self.key)
        sql = f"SELECT count({key}) AS there, count(DISTINCT {key}) AS different FROM {self.table}"
        found = self.engine.ask(sql, "keys").to_pylist()[0]
        return self.rows - int(found["there"]), int(found["there"]) - int(found["different"])

    def sample(self, share: float) -> Any:
        """One query; the order of rows with one hash is that of their columns."""
        limit = _digits(share * SEARCHED_SHARE)
        names = ", ".join(map(self._name, self.columns))
        sql = (
            f"SELECT {names} FROM (SELECT {names}, {self._hash()} AS macchiato_hash FROM {self.table}) AS r "
            f"WHERE macchiato_hash < '{min(limit, JUDGED)}' ORDER BY macchiato_hash, {names}"
        )
        return self.engine.ask(sql, "sample")

    def _labelled(self, classes: Sequence[Any]) -> str:
        """The table with the class's number and the part of each row."""
        target, dialect = self._name(self.target), self.engine.dialect
        label = " ".join(f"WHEN {target} = {literal(dialect, value)} THEN {i}" for i, value in enumerate(classes))
        hashed = self._hash()
        part = f"CASE WHEN {hashed} >= '{BOUNDED}' THEN 2 WHEN {hashed} >= '{JUDGED}' THEN 1 ELSE 0 END"
        return f"(SELECT *, CASE {label} ELSE -1 END AS macchiato_label, {part} AS macchiato_part FROM {self.table}) AS macchiato_rows"

    def grouped(self, model: _macchiato.Model, give: str, which: Sequence[int], classes: Sequence[Any]) -> Groups | None:
        """One query, with one group more than are wanted, which says that there are too many."""
        extra = ["macchiato_label", "macchiato_part"]
        inner = model.to_sql(self.engine.dialect, self._labelled(classes), extra, give, list(which))
        names = [f"test_{t}" for t in range(len(which))]
        if give == "keys":
            circuit = answer_of(model, which[0])
            names = ["answer", *(f"key_{k}" for k in range(len(circuit.limits)))]
        columns = ", ".join([*names, *extra])
        sql = (
            f"SELECT {columns}, count(*) AS n FROM ({inner}) AS r WHERE refused = 0 GROUP BY {columns} LIMIT {MOST_GROUPS + 1}"
        )
        found = self.engine.ask(sql, "cells" if give == "tests" else "counts of the circuit")
        if found.num_rows > MOST_GROUPS:
            return None
        column = {name: np.asarray(found[name].to_numpy(), dtype=np.int64) for name in found.column_names}
        keys = np.stack([column[name] for name in names], axis=1) if names else np.zeros((found.num_rows, 0), dtype=np.int64)
        return ordered(Groups(keys, column["macchiato_label"], column["macchiato_part"], column["n"]))

    def refused(self, model: _macchiato.Model, tests: Sequence[int]) -> int:
        """One query."""
        inner = model.to_sql(self.engine.dialect, self.table, [], "tests", list(tests))
        found = self.engine.ask(f"SELECT sum(refused) AS n FROM ({inner}) AS r", "rows that cannot be read")
        return int(found["n"][0].as_py() or 0)

    def coverage(self, model: _macchiato.Model, circuit: int) -> list[int]:
        """One query."""
        gates = len(answer_of(model, circuit).gates)
        if gates == 0:
            return []
        inner = model.to_sql(self.engine.dialect, self.table, [], "gates", [circuit])
        sums = ", ".join(f"sum(gate_{g}) AS n_{g}" for g in range(gates))
        found = self.engine.ask(f"SELECT {sums} FROM ({inner}) AS r WHERE refused = 0", "rows of each gate").to_pylist()[0]
        return [int(found[f"n_{g}"] or 0) for g in range(gates)]

    def confusion(self, model: _macchiato.Model, classes: Sequence[Any]) -> NDArray[np.int64]:
        """One query."""
        extra = "macchiato_label, macchiato_part"
        inner = model.to_sql(self.engine.dialect, self._labelled(classes), extra.split(", "))
        sql = (
            f"SELECT prediction, {extra}, count(*) AS n FROM ({inner}) AS r WHERE prediction IS NOT NULL "
            f"GROUP BY prediction, {extra}"
        )
        numbers = {text: number for number, text in enumerate(model.classes)}
        rows = [
            [numbers[row["prediction"]], int(row["macchiato_label"]), int(row["macchiato_part"]), int(row["n"])]
            for row in self.engine.ask(sql, "confusion").to_pylist()
        ]
        return np.array(sorted(rows), dtype=np.int64).reshape(-1, 4)

    def split(self, model: _macchiato.Model, classes: Sequence[Any]) -> NDArray[np.int64]:
        """One scan for all tests."""
        dialect, tests = self.engine.dialect, len(model.bit_names)
        names = list(dict(model.columns))
        extra = ["macchiato_label", "macchiato_part"]
        predicted = model.to_sql(dialect, self._labelled(classes), [*names, *extra])
        inner = model.to_sql(dialect, f"({predicted}) AS p", ["prediction", *extra], "tests", list(range(tests)))
        sums = ", ".join(f"sum(test_{t}) AS n_{t}" for t in range(tests))
        sql = (
            f"SELECT prediction, macchiato_label, macchiato_part, count(*) AS n, {sums} FROM ({inner}) AS r "
            "WHERE refused = 0 GROUP BY prediction, macchiato_label, macchiato_part"
        )
        numbers = {text: number for number, text in enumerate(model.classes)}
        rows = [
            [numbers[row["prediction"]], row["macchiato_label"], row["macchiato_part"], row["n"], *(row[f"n_{t}"] for t in range(tests))]
            for row in self.engine.ask(sql, "errors split by every test").to_pylist()
        ]
        return np.array(sorted([int(value) for value in row] for row in rows), dtype=np.int64).reshape(-1, 4 + tests)


class InMemory:
    """The same questions, answered by counting an Arrow table."""

    def __init__(self, table: Any, target: str, key: str | None) -> None:
        self.table, self.target, self.key = table, target, key
        self.columns = {field.name: str(field.type) for field in table.schema}
        self.rows = table.num_rows
        self._hashes = self._hash()

    def _hash(self) -> NDArray[Any]:
        def spelled(value: Any) -> str:
            if value is None:
                return ""
            if isinstance(value, bool):
                return "true" if value else "false"
            if isinstance(value, float | Decimal):
                value = float(value)
                return str(int(np.floor(value * 1000))) if abs(value) < 1e12 else ""
            return str(value)

        names = [self.key] if self.key is not None else list(self.columns)
        columns = [self.table[name].to_pylist() for name in names]
        texts = ("|".join(map(spelled, row)) for row in zip(*columns, strict=True))
        return np.array([hashlib.md5(text.encode()).hexdigest()[:8] for text in texts])

    def profile(self) -> dict[str, Profile]:
        """Column by column."""
        found = {}
        for name, kind in self.columns.items():
            values = self.table[name]
            gaps, infinite, measures = values.null_count, 0, 0
            if is_number(kind):
                numbers = values.cast("float64", safe=False).to_numpy()
                gaps = int(np.isnan(numbers).sum())
                infinite = int(np.isinf(numbers).sum())
                measures = int((~np.isnan(numbers) & (numbers != 0) & (numbers != 1)).sum())
            found[name] = Profile(kind, gaps, infinite, measures)
        return found

    def levels(self) -> list[tuple[Any, int]]:
        """Counted."""
        return list(Counter(self.table[self.target].to_pylist()).items())

    def keys(self) -> tuple[int, int]:
        """Counted."""
        if self.key is None:
            return 0, 0
        there = [value for value in self.table[self.key].to_pylist() if value is not None]
        return self.rows - len(there), len(there) - len(set(there))

    def sample(self, share: float) -> Any:
        """Picked and sorted."""
        limit = min(_digits(share * SEARCHED_SHARE), JUDGED)
        table = self.table.append_column("macchiato_hash", [self._hashes.tolist()])
        table = table.filter([bool(value < limit) for value in self._hashes])
        order = [("macchiato_hash", "ascending"), *((name, "ascending") for name in self.columns)]
        return table.sort_by(order).drop_columns(["macchiato_hash"])

    def _marks(self, classes: Sequence[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        numbers = {value: number for number, value in enumerate(classes)}
        labels = np.array([numbers.get(value, -1) for value in self.table[self.target].to_pylist()], dtype=np.int64)
        parts = (self._hashes >= JUDGED).astype(np.int64) + (self._hashes >= BOUNDED)
        return labels, parts

    def _bits(self, model: _macchiato.Model) -> NDArray[np.int64]:
        table = Table(self.table.select([name for name, _ in model.columns]))
        return np.asarray(model.bits(table, 1), dtype=np.int64)

    def grouped(self, model: _macchiato.Model, give: str, which: Sequence[int], classes: Sequence[Any]) -> Groups | None:
        """Counted."""
        bits = self._bits(model)
        keys = bits[:, list(which)] if give == "tests" else keys_of(answer_of(model, which[0]), bits)
        labels, parts = self._marks(classes)
        rows, counts = np.unique(np.column_stack([keys, labels, parts]), axis=0, return_counts=True)
        if len(rows) > MOST_GROUPS:
            return None
        return ordered(Groups(rows[:, :-2], rows[:, -2], rows[:, -1], counts.astype(np.int64)))

    def refused(self, model: _macchiato.Model, tests: Sequence[int]) -> int:
        """None: what cannot be read is an error here."""
        self._bits(model)
        return 0

    def coverage(self, model: _macchiato.Model, circuit: int) -> list[int]:
        """Counted."""
        return [int(values.sum()) for values in gate_values(answer_of(model, circuit), self._bits(model))]

    def confusion(self, model: _macchiato.Model, classes: Sequence[Any]) -> NDArray[np.int64]:
        """Counted."""
        return self.split(model, classes)[:, :4]

    def split(self, model: _macchiato.Model, classes: Sequence[Any]) -> NDArray[np.int64]:
        """Counted."""
        bits, (labels, parts) = self._bits(model), self._marks(classes)
        predicted = model.predict(Table(self.table.select([name for name, _ in model.columns])), 1).astype(np.int64)
        marks, group = np.unique(np.column_stack([predicted, labels, parts]), axis=0, return_inverse=True)
        sums = np.zeros((len(marks), 1 + bits.shape[1]), dtype=np.int64)
        np.add.at(sums, group.reshape(-1), np.column_stack([np.ones(len(bits), dtype=np.int64), bits]))
        return np.column_stack([marks, sums]).astype(np.int64)


def _digits(share: float) -> str:
    """The hash below which about this share of all rows lies."""
    return f"{min(int(share * 2**32), 2**32 - 1):08x}"


def ordered(groups: Groups) -> Groups:
    """The same groups in the order of their columns: engines have none."""
    columns = np.column_stack([groups.keys, groups.labels, groups.parts])
    order = np.lexsort(columns.T[::-1])
    return Groups(groups.keys[order], groups.labels[order], groups.parts[order], groups.counts[order])
