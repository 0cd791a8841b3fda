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

from ._macchiato import BinarizeError, FrameError

Column = tuple[str, NDArray[Any], Any]

# The words of the command for a missing value and for a Boolean one, so that both learn the same from a table.
_MISSING = frozenset(["", "NA", "N/A", "NaN", "nan", "null", "None", "?"])
_FALSE = frozenset(["0", "false", "no", "f", "n"])
_TRUE = frozenset(["1", "true", "yes", "t", "y"])

_NO_LEVEL = np.iinfo(np.uint32).max


class Table:
    """The columns of `X`; `measures` names Boolean columns whose training rows were numbers."""

    def __init__(self, X: Any, names: Iterable[str] | None = None, measures: Iterable[str] = ()) -> None:
        self._source = _source_of(X)
        self.rows = self._source.rows
        self.names = list(self._source.names if names is None else names)
        self.measures = frozenset(measures)

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
        values = self._source.column(i)
        if isinstance(values, tuple):
            return _text(values, self.names[i], kind)
        if values.dtype.kind == "O":
            return _objects(values, self.names[i], kind)
        if values.dtype.kind in "US":
            return _text(_factorized(values.tolist()), self.names[i], kind)
        if values.dtype.kind == "b":
            return "boolean", values, None
        if values.dtype.kind not in "iuf":
            raise _unusable(self.names[i], f"values of type {values.dtype}: convert them to numbers or text")
        if kind == "category":
            return _text(_factorized(values.tolist()), self.names[i], kind)
        return "number", values.astype(np.float64, copy=False), None


def _unusable(name: str, why: str, row: int | None = None) -> FrameError:
    place = "" if row is None else f", row {row}"
    error = FrameError(f"column {name!r}{place}: {why}")
    error.column, error.row = name, row
    return error


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
    if (_library(X), type(X).__name__) == ("pyarrow", "RecordBatch"):
        import pyarrow as pa

        return pa.Table.from_batches([X])
    return X


def _source_of(X: Any) -> _Source:
    if is_frame(X):
        return {"pandas": _pandas, "polars": _polars, "pyarrow": _pyarrow}[_library(X)](X)
    return _numpy(X)


def _numpy(X: Any) -> _Source:
    array = check_array(X, dtype=None, ensure_all_finite=False, input_name="X")
    names = [f"x{i}" for i in range(array.shape[1])]
    number = array.dtype.kind in "iuf"

    def column(i: int) -> NDArray[Any]:
        values: NDArray[Any] = array[:, i]
        return values

    return _Source(names, array.shape[0], lambda _: number, column, column)


def _named(names: Iterable[Any]) -> list[str]:
    """Names as scikit-learn counts them: either all are texts, or there are none."""
    names = list(names)
    if not all(isinstance(name, str) for name in names):
        return [f"x{i}" for i in range(len(names))]
    if len(set(names)) < len(names):
        name = next(name for at, name in enumerate(names) if name in names[:at])
        error = BinarizeError(f"two columns are called {name!r}: rename one")
        error.column = name
        raise error
    return names


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
        elif not pd.api.types.is_string_dtype(dtype):
            raise _unusable(str(X.columns[i]), f"values of type {dtype}: convert them to numbers or text")
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
            raise _unusable(values.name, f"values of type {dtype}: convert them to numbers or text")
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
        if not (declared or pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            raise _unusable(X.schema.names[i], f"values of type {kind}: convert them to numbers or text")
        values = values if declared else values.dictionary_encode()
        codes = values.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
        return codes, values.dictionary.to_pylist(), declared

    def view(i: int) -> NDArray[Any] | None:
        chunks = X.column(i).chunks
        free = len(chunks) == 1 and types[i] == pa.float64() and not chunks[0].null_count
        return chunks[0].to_numpy() if free else None

    return _Source(_named(X.schema.names), X.num_rows, is_number, column, view)


# ---- Objects and texts -----------------------------------------------------------------------------------------------


def _is_missing(value: Any) -> bool:
    if value is None or (isinstance(value, float | np.floating) and value != value):
        return True
    return type(value).__name__ in {"NAType", "NaTType"}


def _objects(values: NDArray[Any], name: str, kind: str | None) -> Column:
    """A column of Python objects: numbers if all are numbers, Boolean if all are, else texts."""
    given = [None if _is_missing(value) else value for value in values.tolist()]
    types = {type(value) for value in given} - {type(None)}
    if kind != "category" and types and all(issubclass(t, bool | np.bool_) for t in types):
        gaps = np.fromiter((value is None for value in given), dtype=bool, count=len(given))
        bits = np.fromiter((bool(value) for value in given), dtype=bool, count=len(given))
        return "boolean", bits, gaps if gaps.any() else None
    if kind != "category" and types and all(issubclass(t, int | float | np.number) for t in types):
        numbers = (np.nan if value is None else float(value) for value in given)
        return "number", np.fromiter(numbers, dtype=np.float64, count=len(given)), None
    for row, value in enumerate(given):
        if not isinstance(value, str | int | float | np.number | np.bool_ | type(None)):
            raise TypeError(
                f"column {name!r}, row {row}: argument must be a string or a number, not {type(value).__name__!r}"
            )
    return _text(_factorized(given), name, kind)


def _factorized(values: list[Any]) -> tuple[NDArray[np.int64], list[Any], bool]:
    """The code of each value, -1 where there is none, and the values."""
    numbers: dict[str, int] = {}
    codes = (-1 if _is_missing(value) else numbers.setdefault(spelled(value), len(numbers)) for value in values)
    return np.fromiter(codes, dtype=np.int64, count=len(values)), list(numbers), False


def spelled(value: Any) -> str:
    """A value as a file would spell it."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float | np.floating) and float(value).is_integer() and abs(float(value)) < 1e16:
        return str(int(value))
    return str(value)


def _text(coded: tuple[NDArray[np.int64], list[Any], bool], name: str, kind: str | None) -> Column:
    """A column of texts, of which there are few; a `declared` category is one whatever its texts look like."""
    codes, levels, declared = coded
    # Texts that mean a gap, and those that differ in blanks around them only, share a code; the last one is for -1.
    numbers: dict[str, int] = {}
    code = [
        _NO_LEVEL if text in _MISSING else numbers.setdefault(text, len(numbers))
        for text in (spelled(level).strip() if not _is_missing(level) else "" for level in levels)
    ]
    table = np.array([*code, _NO_LEVEL], dtype=np.uint32)
    found = table[codes]
    texts = list(numbers)
    words = [text.lower() for text in texts]
    flags = bool(texts) and all(word in _FALSE or word in _TRUE for word in words)
    if kind == "boolean" or (kind is None and flags and not declared):
        odd = [i for i, word in enumerate(words) if word not in _FALSE and word not in _TRUE]
        wrong = np.flatnonzero(np.isin(found, odd))
        if len(wrong):
            text = texts[found[wrong[0]]]
            raise _unusable(name, f"{text!r} is not Boolean, as the training rows were", int(wrong[0]))
        gaps = found == _NO_LEVEL
        bits = np.array([*(word in _TRUE for word in words), False])[np.where(gaps, len(words), found)]
        return "boolean", bits, gaps if gaps.any() else None
    if kind == "number":
        return "number", _numbers(found, texts, name), None
    return "category", found, texts


def _numbers(codes: NDArray[np.uint32], texts: list[str], name: str) -> NDArray[np.float64]:
    """Texts where the training rows had numbers: a column without values does, any text is an error."""
    present = np.flatnonzero(codes != _NO_LEVEL)
    if len(present):
        row = int(present[0])
        raise _unusable(name, f"{texts[codes[row]]!r} is a text where the training rows had numbers: convert it", row)
    return np.full(len(codes), np.nan)
