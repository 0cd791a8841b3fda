"""Learning where the rows are: the same model from memory, DuckDB and Spark, with the counts of all rows."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

import macchiato
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from engines import ENGINES
from macchiato import FrameError, LeftOutWarning, MacchiatoClassifier, TargetError, fit_table
from macchiato._engine import DuckDb, Told
from macchiato._questions import InEngine, InMemory

ROWS = 100_000
SAMPLE = 8_000


def planted(rows, seed=5):
    """A rule over four of twelve columns, and noise."""
    rng = np.random.default_rng(seed)
    columns = {"id": np.arange(rows)}
    for i in range(3):
        columns[f"x{i}"] = rng.normal(0, 1, rows).round(3)
        columns[f"b{i}"] = rng.random(rows) < 0.5
        columns[f"c{i}"] = rng.choice(np.array(["red", "it's", "blue"], dtype=object), rows)
        columns[f"k{i}"] = rng.integers(0, 12, rows)
    rule = ((columns["x0"] > 0.25) & (columns["c0"] == "red")) ^ (columns["b0"] & (columns["k1"] > 6))
    columns["y"] = np.where(rule ^ (rng.random(rows) < 0.02), "yes", "no")
    table = pa.table(columns)
    gaps = pa.array(np.where(rng.random(rows) < 0.05, np.nan, columns["x2"]), from_pandas=True)
    return table.set_column(table.column_names.index("x2"), "x2", gaps)


@pytest.fixture(scope="module")
def rows():
    return planted(ROWS)


@pytest.fixture(scope="module")
def folder(rows, tmp_path_factory):
    made = tmp_path_factory.mktemp("parts")
    for part in range(4):
        pq.write_table(rows.slice(part * ROWS // 4, ROWS // 4), made / f"part{part}.parquet")
    return made


@pytest.fixture(scope="module")
def in_memory(rows):
    return fit_table(rows, "y", key="id", sample=SAMPLE, effort=1)


def checks_counts(rule, rows):
    """Every count of the model is one of all rows."""
    predicted = rule.predict(rows.drop_columns(["id", "y"]))
    truth = np.array(rows["y"].to_pylist())
    assert rule.table_["rows"] == len(truth)
    assert rule.table_["wrong"] == (predicted != truth).sum()
    trace = rule.trace_
    assert (trace["data"]["rows"], trace["data"]["positive"]) == (len(truth), (truth == "yes").sum())
    assert trace["errors"] == (predicted != truth).sum()
    shares = rule.predict_proba(rows.drop_columns(["id", "y"]))
    assert abs(shares[:, 1].sum() / (truth == "yes").sum() - 1) < 0.001
    bound = rule.table_["error_bound"]
    assert bound["wrong"] / bound["rows"] < bound["bound"] < 0.03


def test_the_planted_rule_is_found_in_memory(rows, in_memory):
    assert {rule_column(in_memory, bit) for bit in in_memory.circuit_.support} == {"x0", "c0", "b0", "k1"}
    checks_counts(in_memory, rows)


def rule_column(rule, bit):
    return rule._model.columns[rule._model.bit_columns[bit]][0]


def test_duckdb_learns_the_same_model_from_files(rows, folder, in_memory):
    pytest.importorskip("duckdb")
    rule = fit_table(folder / "*.parquet", "y", key="id", sample=SAMPLE, effort=1)
    assert rule._model == in_memory._model
    assert rule.table_["engine"] == "duckdb"
    counted = rule.evaluate_table(folder / "*.parquet")
    assert (counted["rows"], counted["wrong"], counted["refused"]) == (ROWS, rule.table_["wrong"], 0)


def test_spark_learns_the_same_model(rows, folder, in_memory, tmp_path):
    spark = ENGINES["spark"]()
    try:
        frame = spark.session.read.option("mergeSchema", "true").parquet(str(folder))
        rule = fit_table(frame, "y", key="id", sample=SAMPLE, effort=1)
        assert rule._model == in_memory._model
        out = tmp_path / "predicted.parquet"
        assert rule.predict_table(frame, str(out), keep=["id"]) == ROWS
        check_written(rule, rows, pq.read_table(out))
        assert rule.evaluate_table(frame)["wrong"] == rule.table_["wrong"]
    finally:
        spark.close()


def check_written(rule, rows, written):
    written = written.sort_by("id")
    assert written.column_names == ["id", "prediction", "probability"]
    inputs = rows.drop_columns(["id", "y"])
    assert (np.array(written["prediction"].to_pylist()) == rule.predict(inputs)).all()
    assert (written["probability"].to_numpy() == rule.predict_proba(inputs)[:, 1]).all()


def test_predictions_are_written_whole_or_not_at_all(rows, folder, in_memory, tmp_path):
    pytest.importorskip("duckdb")
    out = tmp_path / "out.parquet"
    assert in_memory.predict_table(folder / "*.parquet", str(out), keep=["id"]) == ROWS
    check_written(in_memory, rows, pq.read_table(out))
    infinite = rows.slice(0, 1000).set_column(1, "x0", pa.array([np.inf] + [0.0] * 999))
    pq.write_table(infinite, tmp_path / "infinite.parquet")
    with pytest.raises(FrameError, match="1 rows have an infinite number"):
        in_memory.predict_table(tmp_path / "infinite.parquet", str(tmp_path / "no.parquet"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["infinite.parquet", "out.parquet"]


def test_relations_and_tables_of_a_connection(rows, in_memory, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("people", rows)
    for source in [(connection, "people"), connection.sql("SELECT * FROM people")]:
        assert fit_table(source, "y", key="id", sample=SAMPLE, effort=1)._model == in_memory._model
    assert in_memory.predict_table((connection, "people"), "answers", keep=["id"]) == ROWS
    assert connection.sql("SELECT count(*) FROM answers").fetchall() == [(ROWS,)]
    assert in_memory.predict_table(connection.sql("SELECT * FROM people"), str(tmp_path / "out.csv"), keep=["id"]) == ROWS
    assert connection.sql(f"SELECT count(prediction) FROM '{tmp_path}/out.csv'").fetchall() == [(ROWS,)]


def test_every_question_has_one_answer(rows):
    duckdb = pytest.importorskip("duckdb")
    few = rows.slice(0, 5000)
    connection = duckdb.connect()
    connection.register("few", few)
    model = MacchiatoClassifier(effort=1).fit(few.drop_columns(["id", "y"]), few["y"].to_pylist())._model
    for key in ("id", None):
        memory, engine = InMemory(few, "y", key), InEngine(Told(DuckDb(connection), lambda _: None), "few", "y", key)
        classes = ["no", "yes"]
        assert memory.columns == engine.columns and memory.rows == engine.rows
        assert memory.profile() == engine.profile()
        assert sorted(memory.levels()) == sorted(engine.levels())
        assert memory.keys() == engine.keys()
        ours, theirs = memory.sample(0.2), engine.sample(0.2)
        assert 500 < ours.num_rows < 1000 and ours["id"].to_pylist() == theirs["id"].to_pylist()
        for give, which in (("tests", [0, 1, 5]), ("keys", [0])):
            ours, theirs = memory.grouped(model, give, which, classes), engine.grouped(model, give, which, classes)
            for part in ("keys", "labels", "parts", "counts"):
                assert (getattr(ours, part) == getattr(theirs, part)).all()
        assert memory.coverage(model, 0) == engine.coverage(model, 0)
        assert (memory.split(model, classes) == engine.split(model, classes)).all()
        assert (memory.confusion(model, classes) == engine.confusion(model, classes)).all()


def test_what_all_rows_contradict_is_searched_again():
    """The rare rows of the sample say nothing; all others do."""
    rng = np.random.default_rng(8)
    n = 60_000
    a, rare = rng.random(n) < 0.5, rng.random(n) < 0.01
    noise = {f"n{i}": rng.random(n) < 0.5 for i in range(3)}
    table = pa.table({"id": np.arange(n), "a": a, "rare": rare, **noise, "y": a})
    sampled = np.isin(np.arange(n), InMemory(table, "y", "id").sample(600 / (0.75 * n))["id"].to_numpy())
    y = np.where(rare & ~sampled, ~a, a)
    table = table.set_column(table.column_names.index("y"), "y", pa.array(np.where(y, "yes", "no")))
    rule = fit_table(table, "y", key="id", sample=600, effort=1)
    first, last = rule.table_["searches"][0], rule.table_["searches"][-1]
    assert (first["from"], first["circuit"]) == ("the sample", "y = yes if a")
    assert last["taken"] and last["judged"]["after"] < last["judged"]["before"]
    assert {rule_column(rule, bit) for bit in rule.circuit_.support} == {"a", "rare"}
    assert rule.table_["wrong"] == (rare & sampled).sum() > 0


def bad_folder(folder, tmp_path):
    for path in Path(folder).iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path / "part2.parquet"


def refuses(rule, tmp_path, words):
    """Before anything is learned, and before anything is written."""
    before = sorted(tmp_path.iterdir())
    with pytest.raises(FrameError, match=words):
        fit_table(tmp_path / "*.parquet", "y", key="id", sample=SAMPLE)
    with pytest.raises(FrameError, match=words):
        rule.predict_table(tmp_path / "*.parquet", str(tmp_path / "out.csv"))
    assert sorted(tmp_path.iterdir()) == before


def test_files_that_do_not_go_together_are_named(folder, in_memory, tmp_path):
    pytest.importorskip("duckdb")
    path = bad_folder(folder, tmp_path)
    good = pq.read_table(path)
    path.write_bytes(path.read_bytes()[:-200])
    refuses(in_memory, tmp_path, "part2.parquet: no Parquet file that can be read")
    path.write_bytes(b"")
    refuses(in_memory, tmp_path, "part2.parquet: no Parquet file that can be read")
    pq.write_table(good.slice(0, 0), path)
    refuses(in_memory, tmp_path, "part2.parquet: the file has no rows")
    pq.write_table(good.drop_columns(["x1"]), path)
    refuses(in_memory, tmp_path, "part2.parquet: no column 'x1', which .*part0.parquet has")
    whole = good.set_column(good.column_names.index("x1"), "x1", pa.array(np.arange(good.num_rows)))
    pq.write_table(whole, path)
    refuses(in_memory, tmp_path, "part2.parquet: the column 'x1' is int64, and in .*part0.parquet double")


def test_an_engine_of_little_memory_gives_the_same(rows, folder, in_memory, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.setenv("MACCHIATO_ENGINE_MEMORY", "500MB")
    asked = []
    connect = duckdb.connect
    monkeypatch.setattr(duckdb, "connect", lambda *more: asked.append(connect(*more)) or asked[-1])
    rule = fit_table(folder / "*.parquet", "y", key="id", sample=SAMPLE, effort=1)
    assert rule._model == in_memory._model
    assert asked[0].sql("SELECT current_setting('memory_limit')").fetchall() == [("476.8 MiB",)]


# Ibis 12 reads DuckDB's answers by the name that they had.
@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
def test_an_ibis_table(rows, in_memory):
    ibis = pytest.importorskip("ibis", reason="no Ibis")
    connection = ibis.duckdb.connect()
    table = connection.create_table("people", rows)
    assert fit_table(table, "y", key="id", sample=SAMPLE, effort=1)._model == in_memory._model
    # An expression, not only a table that is there.
    assert in_memory.evaluate_table(table.filter(table.x0 > 0))["rows"] == (rows["x0"].to_numpy() > 0).sum()
    assert in_memory.predict_table(table, "answers", keep=["id"]) == ROWS
    assert connection.con.sql("SELECT count(*) FROM answers").fetchall() == [(ROWS,)]


def test_csv_files(rows, tmp_path):
    import pyarrow.csv

    pytest.importorskip("duckdb")
    for part in range(2):
        pyarrow.csv.write_csv(rows.slice(part * 4000, 4000), tmp_path / f"{part}.csv")
    rule = fit_table(str(tmp_path / "*.csv"), "y", key="id", effort=1)
    assert rule.table_["rows"] == 8000
    (tmp_path / "2.csv").write_text("")
    with pytest.raises(FrameError, match=r"2.csv: the file is empty"):
        fit_table(str(tmp_path / "*.csv"), "y", key="id")


def test_what_cannot_be_learned_from_is_refused_first(rows):
    few = rows.slice(0, 2000)
    with pytest.raises(FrameError, match="no column 'z', which is to be the target"):
        fit_table(few, "z")
    with pytest.raises(TargetError, match="the target 'x2' has no value in .* rows"):
        fit_table(few, "x2")
    infinite = few.set_column(1, "x0", pa.array([np.inf] + [0.0] * 1999))
    with pytest.raises(FrameError, match="column 'x0': 1 rows have an infinite number"):
        fit_table(infinite, "y")
    with pytest.raises(FrameError, match="a table cannot be a list"):
        fit_table([[1, 2]], "y")
    with pytest.raises(FrameError, match="no such file"):
        fit_table("nothing/*.parquet", "y")


def test_columns_that_other_rows_contradict_are_left_out_and_said():
    """0 and 1 in the sample, and a measure elsewhere."""
    table = planted(6000)
    hidden = (np.arange(6000) % 2).astype(float)
    questions = InMemory(table, "y", "id")
    unsampled = np.flatnonzero(questions._hashes >= "c0000000")[0]
    hidden[unsampled] = 0.5
    table = table.append_column("hidden", pa.array(hidden))
    with pytest.warns(LeftOutWarning, match="column 'hidden' is left out: 1 rows are neither 0 nor 1"):
        rule = fit_table(table, "y", key="id", effort=1)
    assert list(rule.table_["left_out"]) == ["hidden"]


def test_keys_that_are_missing_or_repeated_are_counted():
    table = planted(3000)
    key = pa.array([None, 7, 7, *range(3, 3000)])
    table = table.set_column(0, "id", key)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rule = fit_table(table, "y", key="id", effort=1)
    assert rule.table_["keys"] == {"missing": 1, "repeated": 2}


def test_excluded_columns_are_not_looked_at(tmp_path):
    """Neither by the search nor by what is refused before it; tables may lack them afterwards."""
    duckdb = pytest.importorskip("duckdb")
    table = planted(6000)
    table = table.append_column("day", pa.array(np.datetime64("2026-01-01") + np.arange(6000)))
    table = table.append_column("infinite", pa.array([np.inf] * 6000))
    connection = duckdb.connect()
    connection.register("people", table)
    how = {"key": "id", "effort": 1, "exclude": ["x0", "day", "infinite"]}
    rule = fit_table((connection, "people"), "y", **how)
    assert rule._model == fit_table(table, "y", **how)._model
    assert "x0" not in {rule_column(rule, bit) for bit in range(len(rule._model.bit_names))}
    assert rule.evaluate_table(connection.sql("SELECT * EXCLUDE (x0, day, infinite) FROM people"))["wrong"] == rule.table_["wrong"]
    for wrong in ("x0", [3]):
        with pytest.raises(macchiato.ParamError, match="exclude is .*: give a list of names"):
            fit_table(table, "y", exclude=wrong)
    with pytest.raises(macchiato.ParamError, match="exclude: no column 'zip'"):
        fit_table(table, "y", exclude=["zip", "day", "infinite"])


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_numbers_past_what_floats_tell_apart(engine):
    """As a column, and as a key."""
    n = 3000
    table = pa.table({"id": 2**62 + np.arange(n), "big": 2**60 + np.arange(n) % 7, "age": np.arange(n) % 80, "y": np.arange(n) % 80 > 41})
    source = table
    if engine == "duckdb":
        connection = pytest.importorskip("duckdb").connect()
        connection.register("people", table)
        source = (connection, "people")
    rule = fit_table(source, "y", key="id", effort=1)
    assert rule.table_["wrong"] == 0
    assert {rule_column(rule, bit) for bit in rule.circuit_.support} == {"age"}


def test_decimals_have_one_hash():
    duckdb = pytest.importorskip("duckdb")
    cents = pa.array([i / 100 for i in range(500)]).cast(pa.decimal128(10, 2))
    table = pa.table({"price": cents, "y": [i % 2 for i in range(500)]})
    connection = duckdb.connect()
    connection.register("prices", table)
    asked = InEngine(Told(DuckDb(connection), lambda _: None), "prices", "y", None)
    ours, theirs = (questions.sample(0.5)["price"].to_pylist() for questions in (InMemory(table, "y", None), asked))
    assert ours == theirs and 100 < len(ours) < 300


def test_rows_that_bound_the_error_decide_nothing():
    """What only those rows say is not searched again, however many of them say it."""
    table = planted(40_000)
    questions = InMemory(table, "y", "id")
    bounding = questions._hashes >= "e0000000"
    turned = np.where(np.array(table["y"].to_pylist()) == "yes", "no", "yes")
    labels = np.where(bounding, turned, np.array(table["y"].to_pylist()))
    other = table.set_column(table.column_names.index("y"), "y", pa.array(labels))
    before, after = (fit_table(rows, "y", key="id", sample=SAMPLE, effort=1) for rows in (table, other))
    assert str(before.circuit_) == str(after.circuit_)
    assert before.table_["searches"] == after.table_["searches"]
    assert after.table_["error_bound"]["bound"] > 0.9 > 0.1 > before.table_["error_bound"]["bound"]


def test_time_that_is_up_leaves_the_best_so_far():
    with pytest.warns(macchiato.InterruptedWarning, match="the time was up"):
        rule = fit_table(planted(6000), "y", key="id", time_limit=0)
    assert rule.table_["rows"] == 6000


def test_an_extra_that_is_missing_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(macchiato.MissingExtraError, match=r"pip install 'macchiato\[duckdb\]'"):
        fit_table("rows.parquet", "y")
