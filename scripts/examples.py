"""Runs the examples in Python of Markdown pages: fenced blocks of ``>>>`` lines with what they print.

    python scripts/examples.py PAGE...

The blocks of a page share their names and an empty folder. A page without an example is a failure: something looked for the wrong fence.
Needs nothing but the standard library, so that it runs beside a wheel that was just installed.
"""

from __future__ import annotations

import doctest
import os
import re
import sys
import tempfile
from pathlib import Path


def blocks(text: str) -> list[str]:
    """The insides of the fences that say ``python`` and hold a session."""
    return [block for block in re.findall(r"(?ms)^```python\n(.*?)^```", text) if ">>> " in block]


def run(page: Path) -> tuple[int, int]:
    """How many examples the page has, and how many of them did not print what it shows."""
    session = "\n".join(blocks(page.read_text(encoding="utf-8")))
    example = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    start = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            done = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
        finally:
            os.chdir(start)
    return done.attempted, done.failed


def main(pages: list[str]) -> int:
    fine = bool(pages)
    for name in pages:
        tried, failed = run(Path(name).resolve())
        print(f"{Path(name).name}: {tried} examples, {failed} failed")
        fine = fine and tried > 0 and failed == 0
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
