"""Writes a version into a checkout: python scripts/versions.py VERSION DATE [ROOT]

Cargo.toml has it once for all crates and once for each that others depend on; CITATION.cff has it with its date; CHANGELOG.md gets a heading
below an empty *Unreleased*. A file that does not look as expected is an error, and then nothing is written.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# As Semantic Versioning has it, without build metadata, which registries refuse.
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(alpha|beta|rc)\.(0|[1-9]\d*))?")


class Fault(Exception):
    """Why a version cannot be written."""


def once(pattern: str, new: str, text: str, where: str) -> str:
    """`text` with the one place that `pattern` finds replaced."""
    changed, places = re.subn(pattern, new, text, flags=re.MULTILINE)
    if places != 1:
        raise Fault(f"{where}: {places} places for {pattern!r}, not one")
    return changed


def cargo(text: str, version: str) -> str:
    text = once(r'^version = "[^"]+"$', f'version = "{version}"', text, "Cargo.toml")
    text, places = re.subn(r'^(macchiato[\w-]* = \{ path = "[^"]+", version = )"[^"]+"', rf'\g<1>"{version}"', text, flags=re.MULTILINE)
    if not places:
        raise Fault("Cargo.toml: no crate that others depend on")
    return text


def citation(text: str, version: str, date: str) -> str:
    text = re.sub(r"^date-released: .*\n", "", text, flags=re.MULTILINE)
    return once(r"^version: .*$", f"version: {version}\ndate-released: {date}", text, "CITATION.cff")


def changelog(text: str, version: str, date: str) -> str:
    if f"## [{version}]" in text:
        raise Fault(f"CHANGELOG.md: {version} is there already")
    unreleased = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## \[|\Z)", text, re.MULTILINE | re.DOTALL)
    if unreleased is None or not unreleased[1].strip():
        raise Fault("CHANGELOG.md: nothing under [Unreleased]")
    return once(r"^## \[Unreleased\]$", f"## [Unreleased]\n\n## [{version}] - {date}", text, "CHANGELOG.md")


def write(version: str, date: str, root: Path) -> None:
    if not VERSION.fullmatch(version):
        raise Fault(f"{version!r} is no version such as 1.2.3 or 1.2.3-rc.1")
    files = {name: (root / name).read_text(encoding="utf-8") for name in ("Cargo.toml", "CITATION.cff", "CHANGELOG.md")}
    fresh = {
        "Cargo.toml": cargo(files["Cargo.toml"], version),
        "CITATION.cff": citation(files["CITATION.cff"], version, date),
        "CHANGELOG.md": changelog(files["CHANGELOG.md"], version, date),
    }
    for name, text in fresh.items():
        (root / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    try:
        write(sys.argv[1], sys.argv[2], Path(*sys.argv[3:]))
    except Fault as fault:
        sys.exit(f"scripts/versions.py: {fault}")
