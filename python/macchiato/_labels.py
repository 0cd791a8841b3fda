"""Targets and weights in the forms that the compiled part reads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from ._macchiato import RowsError, TargetError
from ._tables import _is_missing, spelled

# The unit of weights in the library.
_UNIT = 1_000_000


def target_name(y: Any) -> str:
    """The name of a series, or `y`."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


def read_target(y: Any, name: str) -> NDArray[Any]:
    """The classes of the rows as an array of one dimension, none of them missing."""
    labels: NDArray[Any] = column_or_1d(np.asarray(y), warn=True)
    if labels.dtype.kind == "f":
        _refuse_first(np.isnan(labels), name, "Input y contains NaN")
        _refuse_first(np.isinf(labels), name, "Input y contains infinity")
    elif labels.dtype.kind == "O":
        _refuse_first(np.array([_is_missing(label) for label in labels], dtype=bool), name, "Input y contains NaN")
        if {type(label) for label in labels} <= {bool, np.bool_}:
            labels = labels.astype(bool)
    check_classification_targets(labels)
    return labels


def _refuse_first(wrong: NDArray[np.bool_], name: str, why: str) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        error = TargetError(f"{why}: the target {name!r} has no value in row {row}: remove the row, or give it one")
        error.column, error.row = name, row
        raise error


def class_texts(classes: NDArray[Any]) -> list[str]:
    """The classes as the library knows them."""
    return [spelled(label) for label in classes.tolist()]


def read_weights(sample_weight: Any, rows: int) -> NDArray[np.uint64] | None:
    """Weights in the library's unit; none where all rows count alike."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(rows, float(weights))
    if weights.ndim != 1:
        raise RowsError("Sample weights must be 1D array or scalar")
    check_consistent_length(weights, np.empty(rows))
    for wrong, what in [(~np.isfinite(weights), "is not finite"), (weights < 0, "is negative")]:
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            error = RowsError(f"sample_weight, row {row}: {weights[row]} {what}")
            error.column, error.row = "sample_weight", row
            raise error
    heaviest = weights.max(initial=0.0)
    if heaviest == 0:
        raise RowsError("sample_weight: every weight is zero, so there is nothing to learn from")
    if heaviest < 1:
        # No repetitions of rows, but shares of something.
        weights = weights * (rows / weights.sum())
    if (weights == 1).all():
        return None
    return np.asarray(np.rint(weights * _UNIT), dtype=np.uint64)
