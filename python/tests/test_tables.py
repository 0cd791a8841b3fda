"""Tables of every library: the same values are the same model; what cannot be used is an error with its place."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from macchiato import BinarizeError, FrameError, MacchiatoClassifier, MacchiatoError, TargetError
from macchiato._tables import Table, whole


def fitted(X, y) -> bytes:
    return MacchiatoClassifier(effort=1).fit(X, y)._model.to_bytes()


def frames(frame: pd.DataFrame):
    """The same table in other libraries and types."""
    yield "pandas categories", frame.astype({"job": "category"})
    yield "pandas nullable", frame.convert_dtypes()
    yield "pandas objects", frame.astype(object)
    yield "pandas arrow", frame.convert_dtypes(dtype_backend="pyarrow")
    yield "pandas float32", frame.astype({"age": "float32"})
    polars = pl.from_pandas(frame)
    yield "polars", polars
    yield "polars categories", polars.with_columns(pl.col("job").cast(pl.Categorical))
    yield "polars chunks", pl.concat([polars[:100], polars[100:]], rechunk=False)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    yield "pyarrow", arrow
    yield "pyarrow dictionaries", pa.Table.from_pandas(frame.astype({"job": "category"}), preserve_index=False)
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
    with pytest.raises(FrameError, match=r"column 'age', row 1: 'old' is a text") as caught:
        rule.predict(pd.DataFrame({"age": [None, "old"]}))
    assert (caught.value.column, caught.value.row) == ("age", 1)


@pytest.mark.parametrize("library", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_infinite_numbers(library):
    X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, np.inf]])
    with pytest.raises(FrameError, match="row 2: the number is infinite") as caught:
        MacchiatoClassifier().fit(library(X), [0, 1, 0])
    assert caught.value.row == 2


def test_targets_without_value():
    for y in [[0.0, np.nan, 1.0], pd.Series(["a", None, "b"], name="kind"), pd.array([1, None, 0], dtype="Int64")]:
        with pytest.raises(TargetError, match="row 1") as caught:
            MacchiatoClassifier().fit([[1], [2], [3]], y)
        assert caught.value.row == 1
        assert caught.value.column == getattr(y, "name", "y")


@pytest.mark.parametrize(
    "column",
    [pd.to_datetime(["2020-01-01"] * 4), pd.Series([1 + 2j] * 4), pd.Series([object()] * 4), pd.Series([{}] * 4)],
    ids=["dates", "complex", "objects", "dictionaries"],
)
def test_columns_that_cannot_be_used(column):
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "odd": column})
    with pytest.raises((MacchiatoError, TypeError), match="'odd'"):
        MacchiatoClassifier().fit(frame, [0, 1, 0, 1])


def test_names():
    X, y = np.eye(4, dtype=int), [0, 1, 0, 1]
    numbered = MacchiatoClassifier(effort=1).fit(pd.DataFrame(X), y)
    assert [name for name, _ in numbered._model.columns] == ["x0", "x1", "x2", "x3"]
    with pytest.raises(BinarizeError, match="two columns are called 'a'"):
        MacchiatoClassifier().fit(pd.DataFrame(X, columns=list("aabc")), y)
    rule = MacchiatoClassifier(effort=1).fit(pd.DataFrame(X, columns=list("abcd")), pd.Series(y, name="sold"))
    assert rule._model.target == "sold" and rule.circuit_.target.startswith("sold = ")
    with pytest.raises(ValueError, match="missing"):
        rule.predict(pd.DataFrame(X[:, :3], columns=list("abc")))
    with pytest.warns(UserWarning, match="feature names"):
        rule.predict(X)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="inconsistent"):
        MacchiatoClassifier().fit([[1], [2]], [0, 1, 1])
    with pytest.raises(ValueError, match="inconsistent"):
        MacchiatoClassifier().fit([[1], [2]], [0, 1], sample_weight=[1, 2, 3])
    with pytest.raises(MacchiatoError, match="row 1"):
        MacchiatoClassifier().fit([[1], [2]], [0, 1], sample_weight=[1, -2])
