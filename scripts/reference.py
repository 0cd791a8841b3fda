"""The page of all commands, made from what `--help` says: python scripts/reference.py COMMAND [--check]

Writes docs/reference/commands.md with the help of `macchiato`, of all its subcommands and of the two programs beside it, which are looked for in
the same folder. With --check it only says whether the page is that; the exit code is 1 if it is not.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "commands.md"
HEAD = """# Commands

What `--help` says, for every command. Commands that answer have `--json`, for one JSON object on standard output; those that show progress have `--quiet`.

Exit codes: 0 done; 1 a certificate is rejected, or the program itself has a defect; 2 a file or an option is wrong, and then no output is written; 130 a second Ctrl-C.

Colours are for terminals, and not where `NO_COLOR` is set or `TERM` is `dumb`.
"""


def said(program: Path, words: list[str]) -> str:
    # Help is as wide as the terminal; without one it has 100 columns.
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    done = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True, env=environment, encoding="utf-8")
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def subcommands(text: str) -> list[str]:
    """The names in the section `Commands:`; one that goes on in the next line begins further to the right."""
    section = re.search(r"(?ms)^Commands:\n(.*?)(?:^\S|\Z)", text)
    names = re.findall(r"(?m)^  (\S+) ", section[1]) if section else []
    return [name for name in names if name != "help"]


def sections(program: Path, words: list[str]) -> list[str]:
    text = said(program, words)
    name = " ".join([program.stem, *words])
    own = f"{'#' * (2 + len(words))} `{name}`\n\n```text\n{text}\n```\n"
    return [own, *(section for word in subcommands(text) for section in sections(program, [*words, word]))]


def page(command: Path) -> str:
    programs = [command, *(command.with_name(f"{name}{command.suffix}") for name in ("macchiato-check", "macchiato-replay"))]
    return "\n".join([HEAD, *(section for program in programs for section in sections(program, []))])


def main(command: str, *options: str) -> int:
    text = page(Path(command).resolve())
    if options == ("--check",):
        fresh = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text
        print("the page of commands is what --help says" if fresh else f"{PAGE.name} is stale: run scripts/reference.py without --check")
        return 0 if fresh else 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
