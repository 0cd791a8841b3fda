"""What a fit of a table is about, shared by its steps, and what it found out."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._classifier import MacchiatoClassifier
from ._questions import Questions
from ._threads import InterruptedWarning


class _Named(np.ndarray):
    """Labels with the name of their column."""

    name: str


@dataclass
class Job:
    """One fit of a table."""

    asked: Questions
    target: str
    key: str | None
    #: Those of :class:`MacchiatoClassifier`.
    parameters: dict[str, Any]
    tell: Callable[[str], Any]
    #: What becomes ``table_``.
    found: dict[str, Any]
    #: The target's values in the order of the model's classes.
    classes: list[Any] = field(default_factory=list)

    def learn(self, inputs: Any, labels: list[Any], weights: Any = None, **parameters: Any) -> MacchiatoClassifier:
        """The ordinary fit. Ctrl-C ends the whole of `fit_table`: a model of half a search would be counted as if it were one."""
        rule = MacchiatoClassifier(**{**self.parameters, **parameters})
        named = np.array(labels).view(_Named)
        named.name = self.target
        begun = time.monotonic()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InterruptedWarning)
            rule.fit(inputs, named, weights)
        if rule.interrupted_:
            if rule.time_limit is None or time.monotonic() - begun < rule.time_limit:
                raise KeyboardInterrupt
            warnings.warn("the time was up: the model is the best that the search had found", InterruptedWarning, stacklevel=5)
        return rule
