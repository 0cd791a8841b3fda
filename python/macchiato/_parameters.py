"""The parameters of a classifier: what they may be."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Protocol

import numpy as np
from sklearn.utils import check_random_state

from ._macchiato import ParamError
from ._threads import thread_count

_METHODS = ("auto", "paper")
_CUTS = ("auto", "evidence", "quantile")

# Cuts of a column with `binarize="quantile"`, as in the command.
_QUANTILES = 16


class Parameters(Protocol):
    """What a classifier is made with."""

    method: str
    max_inputs: int | None
    max_stages: int
    tau: float
    effort: int
    pick: str
    max_conditions: int | None
    gates: str
    random_state: Any
    n_jobs: int | None
    binarize: str | int
    time_limit: float | None


def read_parameters(estimator: Parameters) -> Any:
    """The parameters of a classifier, checked, as the compiled part reads them."""

    def whole(name: str, least: int, most: int | None = None) -> int:
        value = getattr(estimator, name)
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise ParamError(f"{name} is {value!r}: give a whole number")
        number = int(value)
        if number < least or (most is not None and number > most):
            bounds = f"from {least} on" if most is None else f"from {least} to {most}"
            raise ParamError(f"{name} is {number}: give a number {bounds}")
        return number

    if estimator.method not in _METHODS:
        raise ParamError(f"method is {estimator.method!r}: give 'auto' or 'paper'")
    if not isinstance(estimator.tau, Real) or not 0 <= estimator.tau < 1:
        raise ParamError(f"tau is {estimator.tau!r}: give a number from 0 to below 1")
    if estimator.tau != 0 and estimator.method != "paper":
        raise ParamError("tau is a parameter of method='paper'")
    pick, gates = estimator.pick, estimator.gates
    if not isinstance(pick, str):
        raise ParamError(f"pick is {pick!r}: give 'score', 'best', 'simplest-within=0.01' or 'max-conditions=12'")
    if not isinstance(gates, str):
        raise ParamError(f"gates is {gates!r}: give a text such as 'and,or,xor'")
    if estimator.max_conditions is not None:
        if pick != "score":
            raise ParamError("pick and max_conditions both choose a circuit: leave one of the two out")
        pick = f"max-conditions={whole('max_conditions', 0)}"
    if estimator.max_inputs is not None and pick != "score":
        raise ParamError("max_inputs is about stages, and pick and max_conditions about circuits of every shape: leave one out")
    cuts, quantiles = estimator.binarize, _QUANTILES
    if not (isinstance(cuts, str) and cuts in _CUTS):
        if isinstance(cuts, str) or not isinstance(cuts, Integral) or cuts < 1:
            raise ParamError(f"binarize is {cuts!r}: give 'auto', 'evidence', 'quantile' or a number of quantiles")
        cuts, quantiles = "quantile", int(cuts)
    limit = estimator.time_limit
    if limit is not None and not (isinstance(limit, Real) and limit >= 0):
        raise ParamError(f"time_limit is {limit!r}: give seconds from 0 on, or None")
    return {
        "method": estimator.method,
        "max_inputs": None if estimator.max_inputs is None else whole("max_inputs", 1),
        "max_stages": whole("max_stages", 1),
        "tau": np.format_float_positional(float(estimator.tau), precision=18, trim="-"),
        "effort": whole("effort", 1, 9),
        "seed": _seed(estimator.random_state),
        "pick": pick,
        "gates": gates,
        "cuts": cuts,
        "quantiles": quantiles,
        "threads": thread_count(estimator.n_jobs),
        "time_limit": None if limit is None else float(limit),
    }


def places_of(columns: Any, names: list[str], parameter: str) -> list[int]:
    """The places of columns that a parameter names, or numbers as scikit-learn does."""
    if columns is None:
        return []
    if isinstance(columns, str | Integral):
        raise ParamError(f"{parameter} is {columns!r}: give a list of columns, as in [{columns!r}]")
    known = {name: place for place, name in enumerate(names)}
    places = []
    for column in columns:
        if isinstance(column, str) and column in known:
            places.append(known[column])
        elif isinstance(column, Integral) and not isinstance(column, bool) and -len(names) <= int(column) < len(names):
            places.append(int(column) % len(names))
        else:
            shown = ", ".join(map(repr, names[:12])) + (" and others" if len(names) > 12 else "")
            raise ParamError(f"{parameter}: no column {column!r}: there are {shown}")
    return places


def read_directions(monotone: Any, names: list[str]) -> list[tuple[str, bool]]:
    """Columns, and whether the answer may only rise with them."""
    if monotone is None:
        return []
    if not isinstance(monotone, Mapping):
        raise ParamError(f"monotone is {monotone!r}: give a dict such as {{'age': 1, 'debt': -1}}")
    places = places_of(list(monotone), names, "monotone")
    for column, direction in monotone.items():
        if direction not in (1, -1):
            raise ParamError(f"monotone: the column {column!r} has the direction {direction!r}: give 1 or -1")
    return [(names[place], direction == 1) for place, direction in zip(places, monotone.values())]


def _seed(state: Any) -> int:
    if state is None:
        return 0
    if isinstance(state, Integral):
        if state < 0:
            raise ParamError(f"random_state is {state}: give a number from 0 on")
        return int(state)
    return int(check_random_state(state).randint(2**31))
