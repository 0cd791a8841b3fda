"""Rows of 0 and 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def read_bits(X: ArrayLike) -> NDArray[np.bool_]:
    """Rows of 0 and 1 as Booleans; anything else is an error."""
    rows = np.asarray(X)
    if rows.ndim != 2:
        raise ValueError(f"rows of 0 and 1 in two dimensions are needed, not {rows.ndim}")
    if rows.dtype == bool:
        return rows
    bits = rows.astype(bool)
    wrong = np.argwhere(bits != rows)
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(f"row {row}, column {column}: {rows[row, column]} is neither 0 nor 1")
    return bits
