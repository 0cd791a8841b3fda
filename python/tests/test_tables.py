"""Tables of every library: the same values are the same model; what cannot be used is an error with its place."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from macchiato import BinarizeError, FrameError, MacchiatoClassifier, RowsError, TargetError
from macchiato._tables import Table, whole


def fitted(X, y) -> bytes:
    return MacchiatoClassifier(effort=1).fit(X, y)._model.to_bytes()


def frames(frame: pd.DataFrame):
    """The same table in other libraries and types."""
    yield "pandas categories", frame.astype({"job": "category"})
    yield "pandas nullable", frame.convert_dtypes()
    yield "pandas objects", frame.astype(object)
    yield "pandas arrow", frame.convert_dtypes(dtype_backend="pyarrow")
    yield "pandas arrow dictionaries", frame.astype({"job": pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))})
    yield "pandas float32", frame.astype({"age": "float32"})
    polars = pl.from_pandas(frame)
    yield "polars", polars
    yield "polars categories", polars.with_columns(pl.col("job").cast(pl.Categorical))
    yield "polars chunks", pl.concat([polars[:100], polars[100:]], rechunk=False)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    yield "pyarrow", arrow
    yield "pyarrow dictionaries", pa.Table.from_pandas(frame.astype({"job": "category"}), preserve_index=False)
    yield "pyarrow views", arrow.set_column(2, "job", arrow.column("job").cast(pa.string_view()))
    yield "pyarrow chunks", pa.concat_tables([arrow.slice(0, 50), arrow.slice(50)])
    yield (
        "pyarrow dictionaries that differ",
        pa.concat_tables(
            [
                arrow.slice(at, 10).set_column(2, "job", arrow.slice(at, 10).column("job").dictionary_encode())
                for at in range(0, arrow.num_rows, 10)
            ]
        ),
    )
    yield "pyarrow batch", arrow.combine_chunks().to_batches()[0]


def test_the_same_values_are_the_same_model(people):
    X, y = people.drop(columns="income"), people["income"]
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    expected, answers = rule._model.to_bytes(), rule.predict(X)
    for name, other in frames(X):
        assert fitted(other, y) == expected, name
        assert (rule.predict(other) == answers).all(), name
        assert Table(whole(other)).names == list(X.columns), name
    for target in [pl.Series("income", y.to_list()), y.astype("category"), y.convert_dtypes()]:
        assert fitted(X, target) == expected


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "uint16", object])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_any_type(dtype, order):
    X = np.random.default_rng(0).integers(0, 9, size=(200, 4))
    y = (X[:, 1] > 4).astype(int)
    expected = fitted(X.astype(float), y)
    assert fitted(np.asarray(X, dtype=dtype, order=order), y) == expected
    assert fitted(X[::2].astype(dtype), y[::2]) == fitted(X[::2].astype(float), y[::2])
    assert fitted(X.tolist(), y.tolist()) == expected


def test_booleans_of_any_type():
    X = np.random.default_rng(0).integers(0, 2, size=(100, 3))
    y = X[:, 0] & X[:, 2]
    expected = fitted(X, y)
    for other in [X.astype(bool), X.astype(float), X.astype(object), X.astype(bool).astype(object)]:
        assert fitted(other, y) == expected
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    assert [kind for _, kind in rule._model.columns] == ["boolean"] * 3
    words = np.where(X == 1, "yes", "no")
    assert fitted(words, y) == expected and (rule.predict(words) == y).all()


def test_floats_are_lent_and_not_copied():
    F = np.asfortranarray(np.random.default_rng(0).normal(size=(50, 2)))
    for frame in [F, pd.DataFrame(F, columns=["a", "b"], copy=False), pl.DataFrame({"a": F[:, 0], "b": F[:, 1]})]:
        view = Table(frame).view(0)
        assert view is not None and view.flags.c_contiguous and (view == F[:, 0]).all()
    assert np.shares_memory(Table(F).view(1), F)
    assert Table(np.ascontiguousarray(F)).view(0) is None, "a column of rows in memory lies apart"
    arrow = pa.table({"a": F[:, 0]})
    assert Table(arrow).view(0).ctypes.data == arrow.column(0).chunk(0).buffers()[1].address


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory as Linux has it")
@pytest.mark.parametrize("layout", ["columns", "rows"])
def test_a_frame_is_never_in_memory_twice(layout):
    script = f"""
        import numpy as np, pandas as pd
        from macchiato import MacchiatoClassifier
        def memory(key):
            return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(key))
        values = np.random.default_rng(0).normal(size=(200_000, 50))
        values = values if {layout!r} == "rows" else np.asfortranarray(values)
        frame = pd.DataFrame(values, copy=False)
        y = values[:, 3] > 0
        MacchiatoClassifier(effort=1).fit(frame[:500], y[:500])
        open("/proc/self/clear_refs", "w").write("5")  # The peak begins anew.
        before = memory("VmRSS")
        MacchiatoClassifier(time_limit=0).fit(frame, y)
        print((memory("VmHWM") - before) / values.nbytes)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.7, done.stdout


def test_gaps_of_any_kind():
    y = [0, 1, 1, 0] * 10
    frame = pd.DataFrame(
        {"n": [1.5, None, 3.5, 4.0] * 10, "t": ["a", None, "b", "a"] * 10, "b": [True, None, False, True] * 10}
    )
    rule = MacchiatoClassifier(effort=1).fit(frame, y)
    assert dict(rule._model.columns) == {"n": "number", "t": "category", "b": "boolean"}
    assert any("missing" in name for name in rule.get_feature_names_out())
    spelled = frame.assign(t=["a", "?", "b", "a"] * 10)
    assert fitted(spelled, y) == rule._model.to_bytes()
    nothing = pd.DataFrame({"n": [np.nan], "t": [None], "b": [None]})
    rule.predict(nothing)


def test_a_column_without_values_takes_anything_later():
    frame = pd.DataFrame({"a": [0, 1] * 20, "empty": [np.nan] * 40})
    rule = MacchiatoClassifier(effort=1).fit(frame, [0, 1] * 20)
    for later in [np.nan, 5.5, "text"]:
        rule.predict(frame.assign(empty=later))


def test_numbers_that_were_bits_by_chance():
    X = np.array([[0, 3], [1, 5], [0, 4], [1, 2]] * 10)
    rule = MacchiatoClassifier(effort=1).fit(X, X[:, 0])
    assert rule.predict([[2, 3], [0, 9]]).tolist() == [1, 0], "a count of 2 is above one half"
    strict = MacchiatoClassifier(effort=1).fit(pd.DataFrame({"a": X[:, 0] == 1}), X[:, 0])
    with pytest.raises(BinarizeError, match='"a", row 1') as caught:
        strict.predict(pd.DataFrame({"a": [1, 2]}))
    assert (caught.value.column, caught.value.row) == ("a", 1)


def test_unseen_levels_are_no_error(people):
    X, y = people.drop(columns="income"), people["income"]
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    rule.predict(X.assign(job="astronaut"))


def test_texts_where_numbers_were():
    frame = pd.DataFrame({"age": [23, 35, 48, 61] * 5})
    rule = MacchiatoClassifier(effort=1).fit(frame, [0, 0, 1, 1] * 5)
    for wrong in [[None, "old"], [50, "old"]]:
        for frame in [pd.DataFrame({"age": wrong}), pl.DataFrame({"age": wrong}, strict=False)]:
            with pytest.raises(FrameError, match=r"column 'age', row [01]: '(old|50)' is a text") as caught:
                rule.predict(frame)
            # To polars both are texts.
            assert (caught.value.column, caught.value.row) == (
                "age",
                0 if isinstance(frame, pl.DataFrame) and wrong[0] else 1,
            )
    assert rule.predict(pd.DataFrame({"age": pd.Categorical([23, None, 61])})).tolist()[::2] == [0, 1]


@pytest.mark.parametrize("library", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_infinite_numbers(library):
    X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, np.inf]])
    with pytest.raises(FrameError, match="row 2: the number is infinite") as caught:
        MacchiatoClassifier().fit(library(X), [0, 1, 0])
    assert caught.value.row == 2


def test_targets_without_value():
    for y in [
        [0.0, np.nan, 1.0],
        pd.Series(["a", None, "b"], name="kind"),
        pd.Series(["a", None, "b"], dtype="category", name="kind"),
        pd.array([1, None, 0], dtype="Int64"),
        pl.Series("kind", [1, None, 0]),
        pa.array(["a", None, "b"]),
    ]:
        with pytest.raises(TargetError, match="row 1") as caught:
            MacchiatoClassifier().fit([[1], [2], [3]], y)
        assert caught.value.row == 1
        assert caught.value.column == getattr(y, "name", "y")
    with pytest.raises(TargetError, match="infinite in row 1"):
        MacchiatoClassifier().fit([[1], [2], [3]], [0.0, np.inf, 1.0])
    with pytest.raises(TargetError, match="mixes types.*row 2"):
        MacchiatoClassifier().fit([[1], [2], [3]], np.array(["1", "b", 1], dtype=object))


DATES = pd.to_datetime(["2020-01-01", "2020-01-02"] * 2)


@pytest.mark.parametrize(
    ("column", "what", "row"),
    [
        (DATES, "datetime64", None),
        (DATES.tz_localize("UTC"), "UTC", None),
        (DATES - DATES[0], "timedelta64", None),
        (DATES.to_period("D"), "period", None),
        (pd.Series(DATES).convert_dtypes(dtype_backend="pyarrow"), "timestamp", None),
        (pd.Series(DATES.date), "'date'", 0),
        (pd.Series([1 + 2j] * 4), "complex", None),
        (pd.Series([1, "b", {}, 2], dtype=object), "'dict'", 2),
        (pd.Series(["a", object()] * 2), "'object'", 1),
        (pd.Series([1, None, 10**400, 2], dtype=object), "too large", 2),
        (pd.Series(["a", "\ud800"] * 2, dtype=object), "Unicode", 1),
        (pl.Series(DATES.date.tolist()), "Date", None),
        (pl.Series([[1], [2], [3], [4]]), "List", None),
        (pa.array(DATES.to_list()), "timestamp", None),
    ],
)
def test_columns_that_cannot_be_used(column, what, row):
    library = {"polars": pl.DataFrame, "pyarrow": pa.table}.get(type(column).__module__.partition(".")[0], pd.DataFrame)
    with pytest.raises(FrameError, match="column 'odd'.*" + what) as caught:
        MacchiatoClassifier().fit(library({"a": [1, 2, 3, 4], "odd": column}), [0, 1, 0, 1])
    assert (caught.value.column, caught.value.row) == ("odd", row)
    # What scikit-learn raises for such a cell.
    assert isinstance(caught.value, TypeError) == (row is not None and what.startswith("'"))


def test_tables_that_are_none():
    y = [0, 1, 0, 1]
    for empty in [pd.DataFrame({"a": []}), pl.DataFrame({"a": []}), pa.table({"a": pa.array([], pa.float64())})]:
        with pytest.raises(BinarizeError, match="no rows"):
            MacchiatoClassifier().fit(empty, [])
    with pytest.raises(BinarizeError, match="no columns"):
        MacchiatoClassifier().fit(pd.DataFrame(index=range(4)), y)
    for empty in [np.empty((0, 3)), np.empty((4, 0))]:
        with pytest.raises(ValueError, match=r"0 (sample|feature)\(s\)"):
            MacchiatoClassifier().fit(empty, y[: len(empty)])
    with pytest.raises(FrameError, match="collect"):
        MacchiatoClassifier().fit(pl.DataFrame({"a": [1, 2, 3, 4]}).lazy(), y)
    rule = MacchiatoClassifier(effort=1).fit(np.array(y)[:, None], y)
    assert rule.predict(np.empty((0, 1))).shape == (0,) and rule.predict_proba(np.empty((0, 1))).shape == (0, 2)


def test_names():
    X, y = np.eye(4, dtype=int), [0, 1, 0, 1]
    numbered = MacchiatoClassifier(effort=1).fit(pd.DataFrame(X), y)
    assert [name for name, _ in numbered._model.columns] == ["x0", "x1", "x2", "x3"]
    for names, twice in [(list("aabc"), "'a'"), ([1, 2, 1, 3], "1")]:
        with pytest.raises(BinarizeError, match=f"two columns are called {twice}") as caught:
            MacchiatoClassifier().fit(pd.DataFrame(X, columns=names), y)
        assert caught.value.column == str(names[0])
    rule = MacchiatoClassifier(effort=1).fit(pd.DataFrame(X, columns=list("abcd")), pd.Series(y, name="sold"))
    assert rule._model.target == "sold" and rule.circuit_.target.startswith("sold")
    for wrong, column in [("abc", "d"), ("abcde", "e"), ("abce", "d")]:
        with pytest.raises(BinarizeError, match=f"(?s)feature names.*- {column}") as caught:
            rule.predict(pd.DataFrame(np.eye(len(wrong), dtype=int), columns=list(wrong)))
        assert caught.value.column == column
    with pytest.raises(BinarizeError, match="3 features"), pytest.warns(UserWarning, match="feature names"):
        rule.predict(X[:, :3])
    with pytest.warns(UserWarning, match="feature names"):
        rule.predict(X)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="inconsistent"):
        MacchiatoClassifier().fit([[1], [2]], [0, 1, 1])
    with pytest.raises(ValueError, match="inconsistent"):
        MacchiatoClassifier().fit([[1], [2]], [0, 1], sample_weight=[1, 2, 3])


@pytest.mark.parametrize(
    ("weights", "why", "row"),
    [([1, -2], "negative", 1), ([np.nan, 1], "finite", 0), (["a", 1], "'a'", None), ([1e13, 1], "9e12", None)],
)
def test_weights_that_are_none(weights, why, row):
    with pytest.raises(RowsError, match=why) as caught:
        MacchiatoClassifier().fit([[1], [2]], [0, 1], sample_weight=weights)
    assert caught.value.row == row


def test_faults_of_rows_that_decide_say_so(people):
    X, y = people.drop(columns="income"), people["income"]
    cases = [
        ((X.assign(age="old"), y), FrameError, "age", 0),
        ((X[["age"]], y), BinarizeError, "hours", None),
        ((X, [None] * len(y)), TargetError, "income", 0),
        ((X, y, [-1] * len(y)), RowsError, "sample_weight", 0),
        ((X[:0], y[:0]), RowsError, None, None),
    ]
    for eval_set, error, column, row in cases:
        with pytest.raises(error, match="eval_set: ") as caught:
            MacchiatoClassifier(effort=1).fit(X, y, eval_set=eval_set)
        assert (caught.value.column, caught.value.row) == (column, row)
