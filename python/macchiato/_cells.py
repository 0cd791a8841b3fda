"""Cells of a column that are Python objects or texts, as numbers, Booleans or categories."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._macchiato import FrameError

# A kind, the values, and what the kind needs besides: see `_tables`.
Column = tuple[str, NDArray[Any], Any]

# The code of each row, -1 where there is no value, the values, and whether they are declared as a category.
Coded = tuple[NDArray[np.int64], list[Any], bool]

# The words of the command for a missing value and for a Boolean one, so that both learn the same from a table.
_MISSING = frozenset(["", "NA", "N/A", "NaN", "nan", "null", "None", "?"])
_FALSE = frozenset(["0", "false", "no", "f", "n"])
_TRUE = frozenset(["1", "true", "yes", "t", "y"])

# The blanks around a text that do not count, as in the command and in SQL: those of ASCII.
_BLANKS = " \t\n\r\x0c"

_NO_LEVEL = np.iinfo(np.uint32).max


class CellTypeError(FrameError, TypeError):
    """A cell of a type that is neither a number nor a text."""


def unusable(name: str, why: str, row: int | None = None, error: type[FrameError] = FrameError) -> FrameError:
    """The error that says why a column cannot be used, with its place."""
    place = "" if row is None else f", row {row}"
    found = error(f"column {name!r}{place}: {why}")
    found.column, found.row = name, row
    return found


def is_missing(value: Any) -> bool:
    """Whether a value stands for none."""
    if value is None or (isinstance(value, float | np.floating) and value != value):
        return True
    return type(value).__name__ in {"NAType", "NaTType"}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal | np.number) and not isinstance(value, bool)


def objects(values: NDArray[Any], name: str, kind: str | None) -> Column:
    """A column of Python objects: numbers if all are numbers, Boolean if all are, else texts."""
    given = [None if is_missing(value) else value for value in values.tolist()]
    types = {type(value) for value in given} - {type(None)}
    if kind != "category" and types and all(issubclass(t, bool | np.bool_) for t in types):
        gaps = np.fromiter((value is None for value in given), dtype=bool, count=len(given))
        bits = np.fromiter((bool(value) for value in given), dtype=bool, count=len(given))
        return "boolean", bits, gaps if gaps.any() else None
    if kind != "category" and types and all(issubclass(t, int | float | Decimal | np.number) for t in types):
        return "number", _floats(given, name), None
    for row, value in enumerate(given):
        if not isinstance(value, str | int | float | Decimal | np.number | np.bool_ | type(None)):
            why = f"argument must be a string or a number, not {type(value).__name__!r}"
            raise unusable(name, why, row, CellTypeError)
        if kind == "number" and isinstance(value, str) and value.strip(_BLANKS) not in _MISSING:
            raise _no_number(name, value, row)
    return texts(factorized(given), name, kind)


def _floats(given: list[Any], name: str) -> NDArray[np.float64]:
    numbers = np.empty(len(given))
    for row, value in enumerate(given):
        try:
            numbers[row] = np.nan if value is None else float(value)
        except OverflowError:
            raise unusable(name, "the number is too large for a float", row) from None
    return numbers


def factorized(values: list[Any]) -> Coded:
    """The code of each value, -1 where there is none, and the values."""
    numbers: dict[str, int] = {}
    codes = (-1 if is_missing(value) else numbers.setdefault(spelled(value), len(numbers)) for value in values)
    return np.fromiter(codes, dtype=np.int64, count=len(values)), list(numbers), False


def spelled(value: Any) -> str:
    """A value as a file would spell it."""
    if isinstance(value, bytes):
        return value.decode(errors="surrogateescape")
    if isinstance(value, float | np.floating) and float(value).is_integer() and abs(float(value)) < 1e16:
        return str(int(value))
    return str(value)


def texts(coded: Coded, name: str, kind: str | None) -> Column:
    """A column of texts, of which there are few; a declared category is one whatever its texts look like."""
    codes, levels, declared = coded
    if kind == "number" and levels and all(map(_is_number, levels)):
        # A category of numbers where the training rows had numbers.
        return "number", np.array([*levels, np.nan], dtype=np.float64)[codes], None
    # Texts that mean a gap, and those that differ in blanks around them only, share a code; the last one is for -1.
    numbers: dict[str, int] = {}
    code = [
        _NO_LEVEL if text in _MISSING else numbers.setdefault(text, len(numbers))
        for text in (spelled(level).strip(_BLANKS) if not is_missing(level) else "" for level in levels)
    ]
    table = np.array([*code, _NO_LEVEL], dtype=np.uint32)
    found = table[codes]
    names = list(numbers)
    for number, text in enumerate(names):
        if not _is_unicode(text):
            raise unusable(name, "the text is not valid Unicode", int(np.flatnonzero(found == number)[0]))
    words = [text.lower() for text in names]
    flags = bool(names) and all(word in _FALSE or word in _TRUE for word in words)
    if kind == "boolean" or (kind is None and flags and not declared):
        odd = [i for i, word in enumerate(words) if word not in _FALSE and word not in _TRUE]
        wrong = np.flatnonzero(np.isin(found, odd))
        if len(wrong):
            text = names[found[wrong[0]]]
            raise unusable(name, f"{text!r} is not Boolean, as the training rows were", int(wrong[0]))
        gaps = found == _NO_LEVEL
        bits = np.array([*(word in _TRUE for word in words), False])[np.where(gaps, len(words), found)]
        return "boolean", bits, gaps if gaps.any() else None
    if kind == "number":
        present = np.flatnonzero(found != _NO_LEVEL)
        if len(present):
            row = int(present[0])
            raise _no_number(name, names[found[row]], row)
        return "number", np.full(len(found), np.nan), None
    return "category", found, names


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_number(name: str, text: str, row: int) -> FrameError:
    return unusable(name, f"{text!r} is a text where the training rows had numbers: convert it", row)
