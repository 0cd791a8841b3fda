"""A classifier as SQL, and its answers where the rows are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ._bounds import error_bound
from ._engine import Told, quoted
from ._labels import class_texts
from ._macchiato import FrameError
from ._sources import open_source
from ._why import Why


class InTables(Why):
    """Predictions in engines."""

    def to_sql(
        self, dialect: str = "duckdb", table: str = "rows", keep: Sequence[str] | None = None, *, expression: bool = False
    ) -> str:
        """Write the classifier as SQL over the table's own columns: what :meth:`predict` answers, for every row.

        Gaps are NULL and NaN. A row that :meth:`predict` refuses, one with an infinite number, is NULL (``docs/exports.md``).

        Parameters
        ----------
        dialect : {"duckdb", "postgres", "sqlite", "spark"}, default="duckdb"
            The engine.
        table : str, default="rows"
            What stands after FROM, as the engine reads it.
        keep : sequence of str, optional
            Columns that the result has besides; by default those that the classifier was learned from.
        expression : bool, default=False
            The prediction alone, to be used in other queries; `table` and `keep` do not count.

        Returns
        -------
        str
            A SELECT that can be a view: the columns to keep, ``prediction``, a text, and ``probability``, that of the positive class; of more
            than two classes ``probability_1`` and so on.

        Raises
        ------
        ExportError
            Names that the engine does not tell apart, or circuits that are too wide for it.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> ages = [[23], [31], [38], [45], [52], [67]] * 4
        >>> rule = MacchiatoClassifier().fit(ages, ["no", "no", "no", "yes", "yes", "yes"] * 4)
        >>> print(rule.to_sql("sqlite", expression=True))
        CASE WHEN CASE WHEN (typeof(`x0`) NOT IN ('integer', 'real', 'null') OR CAST(`x0` AS REAL) IN (9e999, -9e999)) THEN 1 ELSE 0 END = 1 THEN NULL ELSE CASE WHEN CAST(`x0` AS REAL) > 40.0 AND CAST(`x0` AS REAL) - CAST(`x0` AS REAL) = 0.0 THEN 'yes' ELSE 'no' END END
        """
        check_is_fitted(self)
        self._refuse_threshold("an engine gives")
        if expression:
            return self._model.sql_expressions(dialect)[0]
        return self._model.to_sql(dialect, table, keep)

    def predict_table(self, source: Any, out: str, keep: Sequence[str] | None = None, *, verbose: int = 0) -> int:
        """Predict every row of a table in the engine that has it, and write the predictions with the engine.

        Parameters
        ----------
        source : path, glob, DuckDB relation, (connection, table), Spark DataFrame or Ibis table
            The rows.
        out : str
            A file that ends in ``.parquet`` or ``.csv`` (with Spark a folder of such files), or the name of a new table.
        keep : sequence of str, optional
            Columns of the table that are written, too; by default all.
        verbose : int, default=0
            Above 0, says what is done.

        Returns
        -------
        int
            The number of rows.

        Raises
        ------
        FrameError
            A column that is not there, files that do not go together, rows that :meth:`predict` refuses: nothing is written.
        """
        asked, table, columns = self._opened(source, verbose)
        keep = list(columns) if keep is None else list(keep)
        inner = self._model.to_sql(asked.dialect, table, [])
        counts = asked.ask(f"SELECT count(*) AS n, count(prediction) AS there FROM ({inner}) AS r", "rows")
        rows, there = (int(counts[name][0].as_py()) for name in ("n", "there"))
        if there < rows:
            raise FrameError(
                f"{rows - there} rows have an infinite number, or something else than true and false, where the classifier reads: "
                "make them NULL, or leave them out"
            )
        asked.write(self._model.to_sql(asked.dialect, table, keep), out)
        return rows

    def evaluate_table(self, source: Any, target: str | None = None, confidence: float = 0.95, *, verbose: int = 0) -> dict[str, Any]:
        """Count right and wrong predictions over all rows of a table, in the engine that has it.

        Parameters
        ----------
        source : path, glob, DuckDB relation, (connection, table), Spark DataFrame or Ibis table
            Rows with their classes.
        target : str, optional
            The column of the classes; by default the one that was learned.
        confidence : float, default=0.95
            That of the error bound.
        verbose : int, default=0
            Above 0, says what is done.

        Returns
        -------
        dict
            ``rows``, ``right``, ``wrong``, ``refused`` (rows that :meth:`predict` would refuse), ``accuracy``, ``confusion``, a list of class,
            prediction and rows, and ``error_bound``, which holds if nothing was learned from these rows.
        """
        asked, table, columns = self._opened(source, verbose)
        target = self._model.target if target is None else target
        if target not in columns:
            raise FrameError(f"no column {target!r}, which has the classes: there are {', '.join(columns)}")
        inner = self._model.to_sql(asked.dialect, table, [target])
        name = quoted(asked.dialect, target)
        sql = f"SELECT {name} AS class, prediction, count(*) AS n FROM ({inner}) AS r GROUP BY {name}, prediction"
        counted: list[tuple[str, str | None, int]] = []
        for row in asked.ask(sql, "confusion").to_pylist():
            if row["class"] is None:
                raise FrameError(f"the target {target!r} has no value in {row['n']} rows: leave them out")
            counted.append((class_texts_of(row["class"]), row["prediction"], int(row["n"])))
        rows = sum(count for _, _, count in counted)
        right = sum(count for of, predicted, count in counted if of == predicted)
        refused = sum(count for _, predicted, count in counted if predicted is None)
        return {
            "rows": rows,
            "right": right,
            "wrong": rows - right - refused,
            "refused": refused,
            "accuracy": right / max(1, rows),
            "error_bound": error_bound(rows - right, rows, confidence) if rows else 1.0,
            "confusion": [
                {"class": of, "predicted": predicted, "rows": count}
                for of, predicted, count in sorted(counted, key=lambda counts: (counts[0], counts[1] or ""))
            ],
        }

    def _opened(self, source: Any, verbose: int) -> tuple[Told, str, dict[str, str]]:
        """The engine and the table, which has every column that the classifier tests."""
        check_is_fitted(self)
        self._refuse_threshold("an engine gives")
        opened = open_source(source)
        tell: Callable[[str], Any] = print if verbose else lambda words: None
        asked = Told(opened.engine, tell)
        schema = asked.ask(f"SELECT * FROM {opened.table} LIMIT 0", "schema").schema
        columns = {field.name: str(field.type) for field in schema}
        tested = set(self._model.bit_columns)
        for place, (name, kind) in enumerate(self._model.columns):
            if place not in tested:
                continue
            if name not in columns:
                raise FrameError(f"{opened.name}: no column {name!r}, which the classifier was learned from")
            numeric = columns[name].startswith(("int", "uint", "float", "double", "halffloat", "decimal", "bool"))
            if kind == "number" and not numeric:
                raise FrameError(f"{opened.name}: the column {name!r} is {columns[name]}, and the classifier was learned from numbers")
        return asked, opened.table, columns


def class_texts_of(value: Any) -> str:
    """A class of a table as the classifier spells it."""
    import numpy as np

    return class_texts(np.array([value]))[0]
