"""What rows prove, and how many a study needs."""

from __future__ import annotations

import json
from typing import Any

from . import _macchiato


def error_bound(wrong: int, rows: int, confidence: float = 0.95) -> float:
    """Bound the error of any model by rows that nothing was learned from: the exact limit of Clopper and Pearson.

    Parameters
    ----------
    wrong : int
        Rows that the model gets wrong.
    rows : int
        Rows that it was asked, drawn independently.
    confidence : float, default=0.95
        The probability with which the bound holds.

    Returns
    -------
    float
        With that confidence, the model errs on at most this share of such rows.

    Examples
    --------
    >>> from macchiato import error_bound
    >>> round(error_bound(12, 1000), 4)
    0.0194
    """
    return _macchiato.error_bound(wrong, rows, confidence)


def rows_needed(
    inputs: int,
    relevant: int,
    error: float,
    confidence: float = 0.95,
    *,
    stages: int = 1,
    width: int | None = None,
    gap: float | None = None,
) -> dict[str, Any]:
    """Plan a study: how many rows a rule of few inputs needs, as ``macchiato bounds rows`` says (``docs/theory.md``).

    Parameters
    ----------
    inputs : int
        Inputs that there are.
    relevant : int
        Inputs that the rule needs at most.
    error : float
        The error that is accepted.
    confidence : float, default=0.95
        The probability with which the promise holds.
    stages : int, default=1
        Stages that share the rows, for the learner with fresh rows for each stage.
    width : int, optional
        Inputs of a stage at most; `relevant` if not given.
    gap : float, optional
        How accurately influences must be known; if not given, the least influence that an input of such a rule can have.

    Returns
    -------
    dict
        ``"consistent"`` are the ordinary rows with which any rule of that many inputs without an error on them is good
        enough. ``"pairs"``, ``"junta"`` and ``"excess"`` are for the paper's learner.

    Raises
    ------
    BoundsError
        A study that cannot be planned.

    Examples
    --------
    >>> from macchiato import rows_needed
    >>> rows_needed(40, 5, error=0.05)["consistent"]
    753
    """
    study = (inputs, relevant, relevant if width is None else width, stages)
    needed: dict[str, Any] = json.loads(_macchiato.rows_needed(study, gap, error, confidence))
    return needed
