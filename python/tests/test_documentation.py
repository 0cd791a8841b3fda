"""Examples and the tutorial run, docstrings are in numpydoc's form, and the types are what they say."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import macchiato
import matplotlib.pyplot as plt
import pytest
from numpydoc.validate import validate

# What needs PyTorch has no examples of its own; its tests run where PyTorch is.
NAMES = [info.name for info in pkgutil.iter_modules(macchiato.__path__) if info.name != "_torch"]
MODULES = ["macchiato", *(f"macchiato.{name}" for name in NAMES)]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    tests = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    plt.close("all")
    assert tests.failed == 0


# Pages with a session in Python; those whose fence shows a file of Python have no prompt.
PAGES = [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if "```python\n>>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page):
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "examples.py"), str(page)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_pages():
    assert {"README.md", "start.md", "data-scientist.md"} <= {page.name for page in PAGES}


def test_the_reference_has_everything():
    reference = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    named = re.findall(r"(?m)^::: macchiato\.(\w+)$", reference) + re.findall(r"(?m)^\| `(\w+)` \|", reference)
    assert sorted(named) == sorted(name for name in macchiato.__all__ if not name.startswith("__"))


def cells(text: str) -> list[str]:
    return re.split(r"(?m)^# %%.*$", text)[1:]


def test_the_tutorial(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "tutorial.py").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {"__name__": "tutorial"}
    for number, cell in enumerate(cells(text)):
        exec(compile(cell, f"docs/tutorial.py, cell {number}", "exec"), scope)
    plt.close("all")
    assert len(cells(text)) > 10


FAULTS = {"GL01", "GL02", "GL03", "PR08", "PR09", "SA02", "SA03", "ES01", "EX01", "SA01", "YD01", "GL08", "SS06"}


def public():
    for name in macchiato.__all__:
        thing = getattr(macchiato, name)
        if isinstance(thing, str) or (isinstance(thing, type) and issubclass(thing, Exception)):
            continue
        yield f"macchiato.{name}"
        if isinstance(thing, type):
            ours = [vars(base) for base in thing.__mro__ if base.__module__.startswith("macchiato")]
            methods = {key for own in ours for key, value in own.items() if callable(value) and not key.startswith("_")}
            yield from (f"macchiato.{name}.{key}" for key in sorted(methods) if not key.startswith("set_"))


@pytest.mark.parametrize("name", list(public()))
def test_docstrings(name):
    faults = [(code, words) for code, words in validate(name)["errors"] if code not in FAULTS]
    assert faults == []


@pytest.mark.parametrize(
    "tool",
    [
        ["mypy.stubtest", "macchiato._macchiato"],
        ["mypy", "--config-file", str(ROOT / "pyproject.toml"), "-p", "macchiato"],
    ],
)
def test_types(tool, tmp_path, tmp_path_factory):
    # Both read the same libraries: the second one finds what the first one learned of them.
    environment = {**os.environ, "MYPY_CACHE_DIR": str(tmp_path_factory.getbasetemp() / "mypy")}
    command = [sys.executable, "-m", *tool]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_error_of_the_library_has_a_class():
    sources = (ROOT / "crates" / "macchiato-py" / "src" / "errors.rs").read_text(encoding="utf-8")
    classes = re.findall(r"create_exception!\(\s*macchiato,\s*(\w+),", sources)
    # One more is what Python expects of a cell of another type, and one of a package that is not there.
    own = [*classes, "CellTypeError", "MissingExtraError"]
    assert sorted(name for name in macchiato.__all__ if name.endswith("Error")) == sorted(own)
    assert all(issubclass(getattr(macchiato, name), ValueError) for name in classes)
