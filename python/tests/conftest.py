"""What several tests use: outside programs, and tables."""

from __future__ import annotations

import os
import shutil

# Before SciPy is imported: scikit-learn skips a check without it.
os.environ["SCIPY_ARRAY_API"] = "1"

import matplotlib
import numpy as np
import pandas as pd
import pytest

matplotlib.use("agg")


def program(variable: str, name: str) -> str:
    """The program that the variable names, or the one on the path; without it the test is skipped."""
    found = os.environ.get(variable) or shutil.which(name)
    if not found:
        pytest.skip(f"no {name}: name it in {variable}")
    return found


@pytest.fixture
def command() -> str:
    return program("MACCHIATO_COMMAND", "macchiato")


@pytest.fixture
def checker() -> str:
    return program("MACCHIATO_CHECKER", "macchiato-check")


@pytest.fixture
def people() -> pd.DataFrame:
    """Numbers, Booleans, texts and gaps, and a rule over them with a few exceptions."""
    rng = np.random.default_rng(7)
    rows = 400
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, rows),
            "hours": rng.normal(38, 9, rows).round(1),
            "job": rng.choice(["clerk", "cook", "nurse", "pilot"], rows),
            "member": rng.integers(0, 2, rows),
            "smoker": rng.choice(["yes", "no"], rows),
        }
    )
    rich = (frame["age"] > 41) & (frame["job"] != "cook") | (frame["hours"] > 50)
    rich ^= rng.random(rows) < 0.02
    frame.loc[rng.random(rows) < 0.05, "hours"] = np.nan
    frame.loc[rng.random(rows) < 0.05, "job"] = None
    frame["income"] = np.where(rich, "high", "low")
    return frame
