"""What explanations look like in Python."""

from __future__ import annotations

import html
import json
from typing import Any

from ._markup import few_lines


class Explanation(dict[str, Any]):
    """Why: a dictionary with all the facts, which prints as text; of a long one the beginning, and ``text`` is all of it.

    The keys are those of ``macchiato explain --json``, listed in ``docs/explain.md``; numbers that may be large are texts there.

    Examples
    --------
    >>> from macchiato import Circuit
    >>> why = Circuit(["a", "b"], [[[(0, True), (1, True)]]]).explain_prediction([0, 1])
    >>> print(why)
    y = 0
    <BLANKLINE>
    together  no stage fires: 0
    <BLANKLINE>
    because   a = 0
              whatever the other inputs are; no fewer inputs force it: proven
    nearest   a 0 → 1
              then y = 1; one input changes: proven nearest
    >>> why["reason"]["conditions"]
    [{'feature': 'a', 'value': '0', 'text': 'a = 0'}]
    """

    text: str

    @classmethod
    def _of(cls, said: tuple[str, str]) -> Explanation:
        facts, text = said
        explanation = cls(json.loads(facts))
        explanation.text = text.rstrip("\n")
        return explanation

    def __str__(self) -> str:
        return few_lines(self.text, "the attribute text has them")

    def __repr__(self) -> str:
        return f"<Explanation>\n{self}"

    def _repr_html_(self) -> str:
        return f'<pre class="macchiato">{html.escape(str(self))}</pre>'
