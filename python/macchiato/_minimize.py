"""Two-level minimization."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _macchiato
from ._circuit import Circuit
from ._threads import InterruptedWarning, thread_count

_FREE = 2


@dataclass(frozen=True)
class Minimized:
    """A smallest OR of ANDs, as far as it could be found.

    Parameters
    ----------
    circuit : Circuit
        One stage that is 1 on every ON row and 0 on every OFF row.
    lower_bound : int
        No OR of ANDs has fewer terms: proven.
    engine : str
        What found it.
    interrupted : bool
        Whether the time was over, or Ctrl-C pressed, before all was tried.
    notes : list of str
        What else is to be known.
    """

    circuit: Circuit
    lower_bound: int
    engine: str
    interrupted: bool
    notes: list[str]

    @property
    def proven_optimal(self) -> bool:
        """Whether there is none with fewer terms."""
        return self.circuit.n_terms == self.lower_bound


def minimize(
    on: ArrayLike | Sequence[str],
    off: ArrayLike | Sequence[str] | None = None,
    dont_care: ArrayLike | Sequence[str] | None = None,
    *,
    names: Sequence[str] | None = None,
    target: str = "y",
    exact: bool = False,
    engine: str = "auto",
    random_state: int = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
) -> Minimized:
    """Find the shortest OR of ANDs that is 1 on some rows and 0 on others.

    Parameters
    ----------
    on : array-like of shape (n_rows, n_inputs), or sequence of str
        Where it is 1: rows of 0 and 1, or cubes, in which -1 (in texts ``-``) leaves an input open.
    off : the same, optional
        Where it is 0. Rows that are in none are open; without `off` it is 0 on all that the others leave.
    dont_care : the same, optional
        Where either will do.
    names : sequence of str, optional
        The names of the inputs; by default ``x1``, ``x2``, ...
    target : str, default="y"
        The name of what is computed.
    exact : bool, default=False
        Search until the minimum is proven or the time is over.
    engine : {"auto", "primes", "rows", "espresso"}, default="auto"
        The algorithm.
    random_state : int, default=0
        The seed of every random choice.
    n_jobs : int, optional
        Threads; by default one for each core.
    time_limit : float, optional
        Seconds, after which the best so far is the answer. So it is after Ctrl-C, with an
        :class:`InterruptedWarning`.

    Returns
    -------
    Minimized
        The formula, and what is proven about its size.

    Raises
    ------
    MinimizeError
        A row that is on and off, or an engine that cannot take this function.

    Examples
    --------
    Is a decimal digit prime?

    >>> from macchiato import minimize
    >>> digits = [f"{digit:04b}" for digit in range(10)]
    >>> primes = [digits[i] for i in (2, 3, 5, 7)]
    >>> others = [digit for digit in digits if digit not in primes]
    >>> answer = minimize(primes, others, names=["d3", "d2", "d1", "d0"], target="prime")
    >>> print(answer.circuit)
    prime = (¬d2 ∧ d1) ∨ (d2 ∧ d0)
    >>> answer.proven_optimal
    True
    """
    cubes = [None if rows is None else _cubes(rows, what) for rows, what in _named(on, off, dont_care)]
    widths = {rows.shape[1] for rows in cubes if rows is not None and len(rows)}
    if not widths and names is None:
        raise ValueError("no rows: give at least one, or names")
    inputs = widths.pop() if widths else len(names or ())
    if widths:
        raise ValueError(f"rows of {inputs} and of {widths.pop()} inputs")
    if names is None:
        names = [f"x{i}" for i in range(1, inputs + 1)]
    if len(names) != inputs:
        raise ValueError(f"{len(names)} names for {inputs} inputs")
    sets = [rows if rows is None or len(rows) else np.empty((0, inputs), np.uint8) for rows in cubes]
    options: Any = {
        "names": list(names),
        "target": target,
        "exact": exact,
        "engine": engine,
        "seed": random_state,
        "threads": thread_count(n_jobs),
        "time_limit": time_limit,
    }
    on_set = sets[0]
    assert on_set is not None
    core, lower_bound, found_by, early, by_user, notes = _macchiato.minimize(on_set, sets[1], sets[2], options)
    if by_user:
        warnings.warn("minimization interrupted: this is the best so far", InterruptedWarning, stacklevel=2)
    return Minimized(Circuit._of(core), lower_bound, found_by, early, notes)


def _named(on: Any, off: Any, dont_care: Any) -> list[tuple[Any, str]]:
    return [(on, "on"), (off, "off"), (dont_care, "dont_care")]


def _cubes(rows: Any, what: str) -> NDArray[np.uint8]:
    """Cubes of 0, 1 and 2 for an open input."""
    if not isinstance(rows, np.ndarray):
        rows = list(rows)
        if rows and isinstance(rows[0], str):
            values = {"0": 0, "1": 1, "-": _FREE, "2": _FREE}
            for at, row in enumerate(rows):
                odd = set(row) - set(values)
                if odd or len(row) != len(rows[0]):
                    why = f"{odd.pop()!r} is none of 0, 1, -" if odd else "another length than the first"
                    raise ValueError(f"{what}, row {at}: {why}")
            rows = [[values[c] for c in row] for row in rows]
    cubes = np.asarray(rows)
    if cubes.size == 0:
        return np.empty((0, 0), np.uint8)
    if cubes.ndim != 2:
        raise ValueError(f"{what}: rows in two dimensions are needed, not {cubes.ndim}")
    open_ = cubes == -1 if cubes.dtype.kind in "if" else np.zeros(cubes.shape, bool)
    wrong = np.argwhere(~((cubes == 0) | (cubes == 1) | (cubes == _FREE) | open_))
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(f"{what}, row {row}, input {column}: {cubes[row, column]} is none of 0, 1, -1")
    return np.ascontiguousarray(np.where(open_, _FREE, cubes), dtype=np.uint8)
