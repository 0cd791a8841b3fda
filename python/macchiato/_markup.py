"""Circuits as LaTeX, for notebooks; names are escaped."""

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
