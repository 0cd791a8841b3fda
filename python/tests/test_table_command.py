"""`python -m macchiato fit`, by itself and behind the compiled command's `--engine`, and Ctrl-C in the midst of a query."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import program
from macchiato import MacchiatoClassifier
from macchiato.__main__ import main

ROWS = 4000


@pytest.fixture
def files(tmp_path):
    pytest.importorskip("duckdb")
    rng = np.random.default_rng(3)
    rows = pa.table({"id": np.arange(ROWS), "age": rng.integers(18, 80, ROWS), "sex": rng.random(ROWS) < 0.5, "hours": rng.normal(0, 1, ROWS)})
    rows = rows.append_column("old", pa.array((rows["age"].to_numpy() > 41) & rows["sex"].to_numpy(zero_copy_only=False)))
    folder = tmp_path / "rows"
    folder.mkdir()
    for part in range(2):
        pq.write_table(rows.slice(part * ROWS // 2, ROWS // 2), folder / f"{part}.parquet")
    return folder


def words(files, out, *more):
    return ["fit", f"{files}/*.parquet", "--engine", "duckdb", "--target", "old", "--key", "id", "--out", str(out), "--effort", "1", *more]


def test_it_writes_a_model_that_is_read_again(files, tmp_path, capsys):
    out = tmp_path / "model.json"
    assert main(words(files, out)) == 0
    assert f"0 of {ROWS} rows wrong\nerrs on at most" in capsys.readouterr().out
    rule = MacchiatoClassifier.load(out)
    rows = pq.read_table(files)
    inputs = rows.select(["age", "sex", "hours"])
    assert (rule.predict(inputs) == rows["old"].to_numpy(zero_copy_only=False)).all()
    assert main(words(files, out, "--exclude", "sex,hours", "--quiet")) == 0
    assert capsys.readouterr().out == ""
    tests = MacchiatoClassifier.load(out)._model
    assert {tests.columns[column][0] for column in tests.bit_columns} == {"age"}


def test_what_cannot_be_learned_from_leaves_no_file(files, tmp_path, capsys):
    out = tmp_path / "no.json"
    assert main(["fit", "nothing.parquet", "--target", "y", "--out", str(out)]) == 2
    assert "nothing.parquet: no such file" in capsys.readouterr().err
    (files / "1.parquet").write_bytes((files / "1.parquet").read_bytes()[:-100])
    assert main(words(files, out)) == 2
    assert "1.parquet: no Parquet file that can be read" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(words(files, out, "--holdout", "0.2"))
    assert ended.value.code == 2 and "unrecognized arguments: --holdout" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no signals, no exec")
def test_the_compiled_command_hands_over(files, tmp_path):
    command = program("MACCHIATO_COMMAND", "macchiato")
    ours, theirs = tmp_path / "ours.json", tmp_path / "theirs.json"
    assert main(words(files, ours, "--quiet")) == 0
    environment = {**os.environ, "MACCHIATO_ENGINE_PYTHON": sys.executable}
    run = [command, "--threads", "1", *words(files, theirs)]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"0 of {ROWS} rows wrong" in done.stdout
    assert theirs.read_bytes() == ours.read_bytes()


# A question that takes far longer than the test, asked where the counts are asked for.
SLOW = """
    import sys
    from macchiato import _questions
    from macchiato.__main__ import main
    def slow(self):
        try:
            # Here, since Ctrl-C comes as soon as it is read.
            print("asking", flush=True)
            self.engine.engine.ask("SELECT count(*) FROM range(4000000) AS a, range(4000000) AS b WHERE a.range * b.range % 7 = 3")
        except BaseException as error:
            # Whatever was under way has ended: the connection answers at once.
            assert self.engine.engine.ask("SELECT 42 AS answer")["answer"][0].as_py() == 42
            print("free", flush=True)
            raise
    _questions.InEngine.profile = slow
    sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_ctrl_c_ends_the_query_and_leaves_no_file(files, tmp_path):
    out = tmp_path / "model.json"
    script = [sys.executable, "-c", textwrap.dedent(SLOW), *words(files, out, "--quiet")]
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "asking\n"
        child.send_signal(signal.SIGINT)
        said, errors = child.communicate(timeout=240)
    assert (child.returncode, said) == (130, "free\n"), errors
    assert errors.endswith("interrupted: nothing was written\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows"]


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_ctrl_c_while_predictions_are_written_leaves_no_file(tmp_path):
    pytest.importorskip("duckdb")
    script = """
        import os, signal, threading, sys
        from macchiato._engine import DuckDb
        import duckdb
        engine = DuckDb(duckdb.connect())
        threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            engine.write("SELECT md5(CAST(range AS VARCHAR)) AS n FROM range(100000000000)", sys.argv[1])
        except KeyboardInterrupt:
            assert engine.ask("SELECT 42 AS answer")["answer"][0].as_py() == 42
            print("interrupted")
    """
    # DuckDB now and then does not hear that a COPY is to end, on a machine with much else to do: then the process is ended, and asked again.
    for attempt in range(3):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        run = [sys.executable, "-c", textwrap.dedent(script), str(folder / "out.parquet")]
        try:
            done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            continue
        assert done.stdout == "interrupted\n", done.stderr
        assert list(folder.iterdir()) == []
        return
    pytest.fail("Ctrl-C did not end the query in three attempts")
