"""Explanations of circuits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from . import _macchiato
from ._bits import read_bits
from ._explanation import Explanation

if TYPE_CHECKING:
    from ._circuit import Circuit


class ExplainedCircuit:
    """What :class:`Circuit` says about itself: why it answers what it answers, proven."""

    __slots__ = ()
    _core: _macchiato.Circuit

    def explain(self, *, exact: bool = False, time_limit: float | None = None) -> Explanation:
        """Explain the circuit: its stages, how often each fires, and how much each input matters.

        Parameters
        ----------
        exact : bool, default=False
            Search until everything is proven; otherwise limits that do not depend on the clock end it, and what they leave
            open is said.
        time_limit : float, optional
            Seconds after which the search ends with what is proven by then.

        Returns
        -------
        Explanation
            The facts, which print as text.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> print(Circuit(["a", "b", "c"], [[[(0, True)]], [[(0, True), (1, True)]]]).explain())
        y = a ⊕ (a ∧ b)
        is 1 on 1 of 4 points (25.0 %)
        <BLANKLINE>
        stage 1   a
            fires on 2 of 4 points (50.0 %)
            reads a
        <BLANKLINE>
        stage 2   a ∧ b
            fires on 1 of 4 points (25.0 %)
            reads a, b
        <BLANKLINE>
        influence   share of the 4 points whose answer changes with this input alone
            a     50.0 %
            b     50.0 %
        <BLANKLINE>
        without   c
                  never changes the answer: proven
        """
        return Explanation._of(self._core.explain((exact, time_limit)))

    def explain_prediction(
        self, x: ArrayLike, *, exact: bool = False, time_limit: float | None = None
    ) -> Explanation:
        """Explain the value on one row: the fewest inputs that force it, and the nearest row with the other value.

        Parameters
        ----------
        x : array-like of shape (n_inputs,)
            0 and 1, or Booleans.
        exact : bool, default=False
            Search until everything is proven.
        time_limit : float, optional
            Seconds after which the search ends with what is proven by then.

        Returns
        -------
        Explanation
            The facts, which print as text.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> light = Circuit(["up", "down", "dark"], [[[(0, True)]], [[(1, True), (2, False)]]], target="light")
        >>> why = light.explain_prediction([1, 0, 0])
        >>> [condition["text"] for condition in why["reason"]["conditions"]]
        ['up = 1', 'down = 0']
        """
        row = read_bits(np.asarray(x)[np.newaxis])[0]
        return Explanation._of(self._core.explain_prediction(row.tolist(), (exact, time_limit)))

    def explain_difference(
        self, other: Circuit, *, exact: bool = False, time_limit: float | None = None
    ) -> Explanation:
        """Compare with another circuit: on how many rows they disagree, and the disagreement nearest to all inputs 0.

        Parameters
        ----------
        other : Circuit
            Inputs are the same if their names are.
        exact : bool, default=False
            Search until everything is proven.
        time_limit : float, optional
            Seconds after which the search ends with what is proven by then.

        Returns
        -------
        Explanation
            The facts, which print as text; ``["equal"]`` is true only where that is proven.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> both, one = Circuit(["a", "b"], [[[(0, True), (1, True)]]]), Circuit(["a"], [[[(0, True)]]])
        >>> print(both.explain_difference(one))
        self and other disagree on 1 of 4 points (25.0 %)
        <BLANKLINE>
        example   a = 1
                  self says 0, other says 1; 1 input away from all inputs 0: proven nearest
        wherever  a = 1, b = 0
                  holds, they disagree: proven
        """
        return Explanation._of(self._core.explain_difference(other._core, (exact, time_limit)))
