"""Algorithm 1 through SQL: the model that it has in memory, on rows of the paper's first eight configurations."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from macchiato import MacchiatoClassifier, ParamError, fit_table

# Some of these rules are past Algorithm 1, which then answers with the majority.
pytestmark = pytest.mark.filterwarnings("ignore::macchiato.NoRuleWarning")

# S, B, T and K of the paper's Appendix D.2.
CONFIGURATIONS = {
    1: (8, 12, 1000, 6),
    2: (6, 12, 1000, 4),
    3: (8, 15, 4000, 6),
    4: (8, 20, 4000, 6),
    5: (8, 23, 4000, 6),
    6: (8, 12, 500, 6),
    7: (8, 15, 500, 6),
    8: (8, 15, 1000, 8),
}


def junta(number):
    support, inputs, rows, _ = CONFIGURATIONS[number]
    rng = np.random.default_rng(number)
    x = rng.random((rows, inputs)) < 0.5
    relevant = rng.choice(inputs, support, replace=False)
    values = rng.random(1 << support) < 0.5
    y = values[x[:, relevant] @ (1 << np.arange(support))]
    return pa.table({**{f"x{i}": x[:, i] for i in range(inputs)}, "y": y.astype(np.int64)})


@pytest.mark.parametrize("number", list(CONFIGURATIONS))
def test_the_same_model_as_in_memory(number):
    duckdb = pytest.importorskip("duckdb")
    rows = junta(number)
    how = {"method": "paper", "max_inputs": CONFIGURATIONS[number][3], "max_stages": 6}
    connection = duckdb.connect()
    connection.register("junta", rows)
    asked = fit_table((connection, "junta"), "y", **how)
    y = rows["y"].to_pandas()
    there = MacchiatoClassifier(**how).fit(rows.drop_columns(["y"]), y)
    assert str(asked.circuit_) == str(there.circuit_)
    assert asked.trace_ == there.trace_
    assert asked._model == there._model
    assert "error_bound" not in asked.table_


def test_more_tests_than_a_number_has_digits():
    duckdb = pytest.importorskip("duckdb")
    rng = np.random.default_rng(0)
    columns = {f"x{i}": rng.random(400) < 0.5 for i in range(70)}
    rows = pa.table({**columns, "y": columns["x0"]})
    connection = duckdb.connect()
    connection.register("wide", rows)
    with pytest.raises(ParamError, match="takes up to 62 tests, and this table has 70"):
        fit_table((connection, "wide"), "y", method="paper")
