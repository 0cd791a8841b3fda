"""Which answers to a table's tests a row can give: nobody is above 50 and not above 30."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _macchiato


def _values(tests: list[dict[str, Any]]) -> list[Any]:
    """Values of a column among which every combination of answers that there is occurs; None is a missing one."""
    numbers = sorted({test[key] for test in tests for key in ("above", "equals") if key in test})
    between = [(a + b) / 2 for a, b in zip(numbers, numbers[1:])]
    around = [numbers[0] - 1, numbers[-1] + 1] if numbers else []
    levels = [test["is"] for test in tests if "is" in test]
    # An object that is no level, and true as well as false for a Boolean column.
    return [None, *numbers, *between, *around, *levels, False, True]


def _holds(test: dict[str, Any], value: Any, numeric: bool) -> bool:
    if value is None:
        return "missing" in test
    if "missing" in test:
        return False
    if "above" in test or "equals" in test:
        return bool(value > test["above"] if "above" in test else value == test["equals"])
    if "is" in test:
        return bool(value == test["is"])
    return value is True if "other" not in test else isinstance(value, bool) and not numeric


def possible_points(model: _macchiato.Model | None, support: Sequence[int], points: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which points, rows of answers to all tests, some row of the model's table can be; without a model all of them."""
    possible = np.ones(len(points), dtype=bool)
    if model is None:
        return possible
    tests = json.loads(model.to_bytes())["tests"]
    for column in {tests[bit]["column"] for bit in support}:
        bits = [bit for bit in support if tests[bit]["column"] == column]
        own = [tests[bit] for bit in bits]
        numeric = any("above" in test or "equals" in test for test in own)
        known = {
            tuple(_holds(test, value, numeric) for test in own)
            for value in _values(own)
            if not (numeric and isinstance(value, bool))
        }
        possible &= np.array([tuple(point) in known for point in points[:, bits].tolist()], dtype=bool)
    return possible
