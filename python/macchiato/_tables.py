"""Tables of other libraries, one column at a time, in the few forms that the compiled part reads.

A `Table` hands out the columns of a NumPy array, a pandas or polars frame, or a pyarrow table. `view` gives a column of
floats without copying it, or nothing; `column` converts one. A column is then one of

* `("number", float64 array, None)`, NaN where there is no value;
* `("boolean", bool array, None or the bool array of gaps)`;
* `("category", uint32 array of codes, list of levels)`, the greatest code where there is no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from ._cells import Column, factorized, objects, texts, unusable
from ._macchiato import BinarizeError, FrameError, MacchiatoError


class Table:
    """The columns of `X`.

    `measures` names Boolean columns whose training rows were numbers; `where` begins the messages of errors.
    """

    def __init__(self, X: Any, *, least_rows: int = 1, where: str = "") -> None:
        self._source = _source_of(X, least_rows)
        self._where = where
        self.rows = self._source.rows
        self.names = self._source.names
        self.measures: frozenset[str] = frozenset()

    @property
    def numeric(self) -> list[str]:
        """The names of the columns that hold numbers by their type."""
        return [name for i, name in enumerate(self.names) if self._source.is_number(i)]

    def view(self, i: int) -> NDArray[np.float64] | None:
        """Column `i` if it is an array of floats as the compiled part reads them."""
        values = self._source.view(i) if self._source.is_number(i) else None
        if values is None or values.dtype != np.float64 or not values.dtype.isnative:
            return None
        return values if values.flags.c_contiguous and values.flags.aligned else None

    def column(self, i: int, kind: str | None) -> Column:
        """Column `i`, as what it was in the training rows where that is known."""
        try:
            return self._column(i, kind)
        except MacchiatoError as error:
            raise placed(error, self._where) from None

    def _column(self, i: int, kind: str | None) -> Column:
        values = self._source.column(i)
        if isinstance(values, tuple):
            return texts(values, self.names[i], kind)
        if values.dtype.kind == "O":
            return objects(values, self.names[i], kind)
        if values.dtype.kind in "US":
            return texts(factorized(values.tolist()), self.names[i], kind)
        if values.dtype.kind == "b":
            return "boolean", values, None
        if values.dtype.kind not in "iuf":
            raise unusable(self.names[i], f"values of type {values.dtype}: convert them to numbers or text")
        if kind == "category":
            return texts(factorized(values.tolist()), self.names[i], kind)
        return "number", values.astype(np.float64, copy=False), None


def placed(error: MacchiatoError, where: str) -> MacchiatoError:
    """The error, whose message begins with `where`."""
    if not where:
        return error
    found = type(error)(f"{where}: {error}")
    found.column, found.row = error.column, error.row
    return found


# ---- The libraries ---------------------------------------------------------------------------------------------------


class _Source(NamedTuple):
    """What a library's table can do."""

    names: list[str]
    rows: int
    is_number: Callable[[int], bool]
    # An array, or codes, levels and whether they are declared as a category.
    column: Callable[[int], Any]
    # The numbers as they lie in memory, if that needs no copy.
    view: Callable[[int], NDArray[Any] | None]


def _library(X: Any) -> str:
    return type(X).__module__.partition(".")[0]


def is_frame(X: Any) -> bool:
    """Whether `X` has typed columns that are read one by one."""
    name = type(X).__name__
    return (_library(X), name) in {
        ("pandas", "DataFrame"),
        ("polars", "DataFrame"),
        ("pyarrow", "Table"),
    }


def whole(X: Any) -> Any:
    """`X`, or the table of a record batch, which scikit-learn does not know."""
    if (_library(X), type(X).__name__) == ("polars", "LazyFrame"):
        raise FrameError("X is a query, not a table yet: call its method collect()")
    if (_library(X), type(X).__name__) == ("pyarrow", "RecordBatch"):
        import pyarrow as pa

        return pa.Table.from_batches([X])
    return X


def _source_of(X: Any, least_rows: int) -> _Source:
    if is_frame(X):
        return {"pandas": _pandas, "polars": _polars, "pyarrow": _pyarrow}[_library(X)](X)
    return _numpy(X, least_rows)


def _numpy(X: Any, least_rows: int) -> _Source:
    array = check_array(X, dtype=None, ensure_all_finite=False, ensure_min_samples=least_rows, input_name="X")
    names = [f"x{i}" for i in range(array.shape[1])]
    number = array.dtype.kind in "iuf"

    def column(i: int) -> NDArray[Any]:
        values: NDArray[Any] = array[:, i]
        return values

    return _Source(names, array.shape[0], lambda _: number, column, column)


def _named(names: Iterable[Any]) -> list[str]:
    """Names as texts; columns that are only numbered from 0 are x0, x1, ... as those of arrays."""
    names = list(names)
    texts = [name if isinstance(name, str) else str(name) for name in names]
    if len(set(texts)) < len(texts):
        name = next(names[at] for at, text in enumerate(texts) if text in texts[:at])
        error = BinarizeError(f"two columns are called {name!r}: rename one")
        error.column = str(name)
        raise error
    return [f"x{i}" for i in range(len(names))] if names == list(range(len(names))) else texts


def _pandas(X: Any) -> _Source:
    import pandas as pd

    dtypes = list(X.dtypes)

    def is_number(i: int) -> bool:
        return bool(pd.api.types.is_numeric_dtype(dtypes[i]) and not pd.api.types.is_bool_dtype(dtypes[i]))

    def column(i: int) -> Any:
        series, dtype = X.iloc[:, i], dtypes[i]
        if isinstance(dtype, pd.CategoricalDtype):
            return series.cat.codes.to_numpy().astype(np.int64), list(dtype.categories), True
        if isinstance(dtype, np.dtype):
            if dtype.kind != "O":
                return series.to_numpy()
        elif is_number(i):
            return series.to_numpy(dtype=np.float64, na_value=np.nan)
        elif pd.api.types.is_bool_dtype(dtype):
            if not series.hasnans:
                return series.to_numpy(dtype=bool)
            return series.to_numpy(dtype=object, na_value=None)
        elif isinstance(dtype, pd.ArrowDtype) and not pd.api.types.is_string_dtype(dtype):
            import pyarrow as pa

            return _pyarrow(pa.Table.from_pandas(X.iloc[:, [i]], preserve_index=False)).column(0)
        elif not pd.api.types.is_string_dtype(dtype):
            raise unusable(str(X.columns[i]), f"values of type {dtype}: convert them to numbers or text")
        # Equal objects of different types, 1 and True, must stay apart: only texts are told apart by pandas.
        if dtype.kind == "O" and pd.api.types.infer_dtype(series, skipna=True) not in {"string", "empty"}:
            return series.to_numpy()
        codes, levels = pd.factorize(series)
        return codes, list(levels), False

    def view(i: int) -> NDArray[Any] | None:
        return X.iloc[:, i].to_numpy() if isinstance(dtypes[i], np.dtype) else None

    return _Source(_named(X.columns), len(X), is_number, column, view)


def _polars(X: Any) -> _Source:
    import polars as pl

    series = X.get_columns()

    def column(i: int) -> Any:
        values, dtype = series[i], series[i].dtype
        if dtype.is_numeric():
            return values.cast(pl.Float64).to_numpy() if values.null_count() else values.to_numpy()
        if dtype == pl.Boolean:
            return values.to_numpy() if not values.null_count() else np.array(values.to_list(), dtype=object)
        if isinstance(dtype, pl.Categorical | pl.Enum):
            values = values.cast(pl.String)
        elif dtype == pl.Null:
            return np.full(len(values), None, dtype=object)
        elif dtype != pl.String:
            raise unusable(values.name, f"values of type {dtype}: convert them to numbers or text")
        levels = values.unique(maintain_order=True).drop_nulls().to_list()
        codes = values.cast(pl.Enum(levels)).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        return codes, levels, isinstance(dtype, pl.Categorical | pl.Enum)

    def view(i: int) -> NDArray[Any] | None:
        free = series[i].null_count() == 0 and series[i].n_chunks() == 1 and series[i].dtype == pl.Float64
        return series[i].to_numpy(allow_copy=False) if free else None

    return _Source(_named(X.columns), X.height, lambda i: bool(series[i].dtype.is_numeric()), column, view)


def _pyarrow(X: Any) -> _Source:
    import pyarrow as pa

    types = [field.type for field in X.schema]

    def is_number(i: int) -> bool:
        return bool(pa.types.is_integer(types[i]) or pa.types.is_floating(types[i]) or pa.types.is_decimal(types[i]))

    def column(i: int) -> Any:
        values, kind = X.column(i).combine_chunks(), types[i]
        if isinstance(values, pa.ChunkedArray):
            # Dictionaries that differ from chunk to chunk.
            values = values.unify_dictionaries().combine_chunks()
        if is_number(i):
            if pa.types.is_decimal(kind):
                values = values.cast(pa.float64())
            return values.to_numpy(zero_copy_only=False)
        if pa.types.is_boolean(kind):
            return values.to_numpy(zero_copy_only=False)
        if pa.types.is_null(kind):
            return np.full(len(values), None, dtype=object)
        declared = pa.types.is_dictionary(kind)
        if str(kind) == "string_view":
            values = values.cast(pa.large_string())
        elif not (declared or pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            raise unusable(X.schema.names[i], f"values of type {kind}: convert them to numbers or text")
        values = values if declared else values.dictionary_encode()
        codes = values.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
        return codes, values.dictionary.to_pylist(), declared

    def view(i: int) -> NDArray[Any] | None:
        chunks = X.column(i).chunks
        free = len(chunks) == 1 and types[i] == pa.float64() and not chunks[0].null_count
        return chunks[0].to_numpy() if free else None

    return _Source(_named(X.schema.names), X.num_rows, is_number, column, view)
