"""Targets and weights in the forms that the compiled part reads."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from ._cells import is_missing, spelled
from ._macchiato import ModelError, ParamError, RowsError, TargetError

# The unit of weights in the library.
_UNIT = 1_000_000


def target_name(y: Any) -> str:
    """The name of a series or of the only column of a frame, or `y`."""
    columns = getattr(y, "columns", None)
    name = columns[0] if columns is not None and len(columns) == 1 else getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


def read_target(y: Any, name: str) -> NDArray[Any]:
    """The classes of the rows as an array of one dimension, none of them missing."""
    if type(y).__module__.partition(".")[0] == "polars":
        # Texts as objects, as those of pandas and pyarrow are.
        y = y.to_numpy()
    labels: NDArray[Any] = column_or_1d(np.asarray(y), warn=True)
    if labels.dtype.kind == "f":
        _refuse_first(np.isnan(labels), name, "Input y contains NaN", _NO_VALUE)
        _refuse_first(np.isinf(labels), name, "Input y contains infinity", "is infinite in row {row}: that is no class")
    elif labels.dtype.kind == "O":
        gaps = np.array([is_missing(label) for label in labels], dtype=bool)
        _refuse_first(gaps, name, "Input y contains NaN", _NO_VALUE)
        if {type(label) for label in labels} <= {bool, np.bool_}:
            labels = labels.astype(bool)
        else:
            is_text = np.array([isinstance(label, str) for label in labels], dtype=bool)
            if is_text.any():
                why = "has a text in some rows and none in row {row}: convert them to one type"
                _refuse_first(~is_text, name, "Input y mixes types", why)
    try:
        check_classification_targets(labels)
    except ValueError as error:
        if labels.dtype.kind != "f":
            raise
        number = len(np.unique(labels))
        words = (
            f"Unknown label type: continuous. The target {name!r} has {number} different numbers, some of them with decimals: "
            "a classifier predicts classes. Cut it into some, as in y > y.median() or pandas.cut(y, 3), or take a regressor"
        )
        raise TargetError(words) from error
    return labels


_NO_VALUE = "has no value in row {row}: remove the row, or give it one"


def _refuse_first(wrong: NDArray[np.bool_], name: str, what: str, why: str) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        error = TargetError(f"{what}: the target {name!r} {why.format(row=row)}")
        error.column, error.row = name, row
        raise error


def class_texts(classes: NDArray[Any]) -> list[str]:
    """The classes as the library knows them."""
    return [spelled(label) for label in classes.tolist()]


def class_type(classes: NDArray[Any]) -> str:
    """The element type of classes, as the model file calls it."""
    return f"U{classes.dtype.itemsize // 4}" if classes.dtype.kind == "U" else classes.dtype.name


def typed_classes(texts: list[str], kind: str) -> NDArray[Any]:
    """The classes that a model file spells, with the type that it names, in their order."""
    values: list[Any] = list(texts)
    if kind == "bool":
        values = [text == "True" for text in texts]
    elif kind.startswith(("int", "uint")):
        values = [int(text) for text in texts]
    elif kind.startswith("float"):
        values = [float(text) for text in texts]
    classes = np.unique(np.array(values, dtype=kind))
    if sorted(class_texts(classes)) != sorted(texts):
        raise ModelError(f"classes: {texts} are not spelled as classes of the type {kind!r} are")
    return classes


def read_class_weight(class_weight: Any, classes: NDArray[Any]) -> Any:
    """The weights of classes as the compiled part reads them: None, ``"balanced"`` or pairs of a class and its weight."""
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return class_weight
    if not isinstance(class_weight, Mapping):
        raise ParamError(f"class_weight is {class_weight!r}: give None, 'balanced' or a dict such as {{'yes': 10, 'no': 1}}")
    known = {label: spelled(label) for label in classes.tolist()}
    pairs = []
    for label, weight in class_weight.items():
        if label not in known:
            raise ParamError(f"class_weight: no row of y is {label!r}: the classes are {list(known)[:12]}")
        if not (isinstance(weight, Real) and 0 <= float(weight) < float("inf")):
            raise ParamError(f"class_weight: the class {label!r} has the weight {weight!r}: give a number from 0 on")
        pairs.append((known[label], float(weight)))
    if len(pairs) == len(known) and not any(weight for _, weight in pairs):
        raise ParamError("class_weight: every class has the weight 0, so there is nothing to learn from")
    return pairs


def read_weights(sample_weight: Any, rows: int) -> NDArray[np.uint64] | None:
    """Weights in the library's unit."""
    if sample_weight is None:
        return None
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as reason:
        raise RowsError(f"sample_weight: {reason}: give a number for each row") from None
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
        # No repetitions of rows, but shares of something. A row without a share is not there.
        weights = weights * (np.count_nonzero(weights) / weights.sum())
    # The library counts millionths in 63 bits.
    if weights.sum() >= 9e12:
        raise RowsError(
            f"sample_weight: the weights add up to {weights.sum():g}, and only below 9e12 can they be counted"
        )
    return np.asarray(np.rint(weights * _UNIT), dtype=np.uint64)
