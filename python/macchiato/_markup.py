"""Circuits as LaTeX, for notebooks, with their names escaped, and texts that are not too long to be read."""

from __future__ import annotations

_MATH = {
    "\\": r"\backslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\wedge{}",
    "~": r"\sim{}",
    "<": r"\lt{}",
    ">": r"\gt{}",
    " ": r"\ ",
    ",": "{,}",
    '"': r"{''}",
    "`": r"{\prime}",
}


# Terms that a notebook shows: more would be a wall, or stop the browser.
TERMS_SHOWN = 100


# Characters of a formula, and lines of an explanation, that are printed: more would hide what comes before.
_CHARACTERS = 2000
_LINES = 60


def shortened(text: str, rest: str) -> str:
    """A formula that is not too long to be read; `rest` says where all of it is.

    >>> shortened("y = a ∨ b", "2 literals")
    'y = a ∨ b'
    """
    if len(text) <= _CHARACTERS:
        return text
    # At a blank, so that no name is cut.
    return f"{text[:_CHARACTERS].rpartition(' ')[0]} ... ({rest})"


def few_lines(text: str, rest: str) -> str:
    """The first lines of a text, each not too long; `rest` says where all of it is."""
    lines = text.split("\n")
    left_out = len(lines) - _LINES
    shown = [line if len(line) <= _CHARACTERS else line[:_CHARACTERS] + " ..." for line in lines[:_LINES]]
    if left_out > 0:
        shown.append(f"... {left_out} more lines: {rest}")
    elif any(len(line) > _CHARACTERS for line in lines):
        shown.append(f"... some lines are cut: {rest}")
    return "\n".join(shown)


def latex_name(name: str) -> str:
    r"""A name as upright letters in mathematics.

    >>> latex_name("net_income > 5%")
    '\\mathrm{net\\_income\\ \\gt{}\\ 5\\%}'
    """
    return r"\mathrm{" + "".join(_MATH.get(c, c if c.isascii() else rf"\text{{{c}}}") for c in name) + "}"


def latex(target: str, stages: list[list[list[str]]]) -> str:
    """The XOR of the stages, each of them the conditions of its terms."""

    def term(conditions: list[str], alone: bool) -> str:
        product = r" \land ".join(map(latex_name, conditions)) or "1"
        return product if alone or len(conditions) < 2 else rf"\left({product}\right)"

    def stage(terms: list[list[str]], alone: bool) -> str:
        total = r" \lor ".join(term(conditions, len(terms) == 1) for conditions in terms)
        short = alone or (len(terms) == 1 and len(terms[0]) < 2)
        return total if short else rf"\left({total}\right)"

    stages = [terms for terms in stages if terms]
    formula = r" \oplus ".join(stage(terms, len(stages) == 1) for terms in stages) or "0"
    return rf"$\displaystyle {latex_name(target)} = {formula}$"
