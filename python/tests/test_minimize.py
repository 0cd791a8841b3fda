"""The minimizer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from macchiato import MinimizeError, minimize


@pytest.mark.parametrize("seed", range(10))
def test_it_keeps_its_rows(seed):
    rng = np.random.default_rng(seed)
    points = np.array(list(itertools.product([0, 1], repeat=5)))
    kind = rng.integers(0, 3, len(points))
    on, off = points[kind == 0], points[kind == 1]
    answer = minimize(on, off, exact=True)
    assert answer.circuit.evaluate(on).all() and not answer.circuit.evaluate(off).any()
    assert answer.proven_optimal and not answer.interrupted
    rest = minimize(on, dont_care=points[kind == 2], exact=True)
    assert rest.circuit.n_terms == answer.circuit.n_terms
    assert not minimize(on).circuit.evaluate(points[kind != 0]).any()


def test_cubes_and_names():
    answer = minimize(["1-", "-1"], ["00"], names=["a", "b"], target="any")
    assert str(answer.circuit) == "any = a ∨ b"
    assert minimize([[1, -1]], [[0, 0]]).circuit.n_literals == 1
    assert minimize(np.array([[True, False]]), np.array([[False, True]])).circuit.n_literals == 1
    assert minimize([], ["00"]).circuit.to_expr() == "0"
    assert minimize(["00"], []).circuit.to_expr() == "1"
    wide = np.eye(200, dtype=int)
    assert minimize(wide, np.zeros((1, 200), dtype=int), engine="rows").engine == "rows"


def test_what_is_wrong_is_said():
    with pytest.raises(MinimizeError, match="contradict"):
        minimize(["11"], ["1-"])
    with pytest.raises(ValueError, match="on, row 1: 'x'"):
        minimize(["11", "1x"])
    with pytest.raises(ValueError, match="on, row 1: another length"):
        minimize(["11", "1"])
    with pytest.raises(ValueError, match="off, row 0, input 1: 7"):
        minimize([[1, 1]], [[0, 7]])
    with pytest.raises(ValueError, match="3 names for 2"):
        minimize(["11"], names=["a", "b", "c"])
    with pytest.raises(ValueError, match="inputs"):
        minimize(["11"], ["000"])
    with pytest.raises(ValueError, match="no rows"):
        minimize([])
    with pytest.raises(ValueError, match="engine"):
        minimize(["11"], engine="magic")
    with pytest.raises(MinimizeError, match="primes"):
        minimize(np.eye(20, dtype=int), engine="primes")


def test_time_is_limited():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, size=(4000, 40))
    labels = rng.random(4000) < 0.5
    answer = minimize(rows[labels], rows[~labels], time_limit=0.2)
    assert answer.interrupted
    assert answer.circuit.evaluate(rows[labels]).all() and not answer.circuit.evaluate(rows[~labels]).any()
