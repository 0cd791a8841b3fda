"""The estimator among scikit-learn's own: its checks, copies, searches and pipelines."""

from __future__ import annotations

import io
import pickle
import re
import warnings

import joblib
import macchiato
import numpy as np
import onnxruntime
import pandas as pd
import pytest
from macchiato import InterruptedWarning, MacchiatoClassifier, ParamError, SingleClassWarning
from sklearn.base import clone
from sklearn.compose import make_column_selector
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks


@pytest.mark.filterwarnings("default")
@parametrize_with_checks([MacchiatoClassifier()])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def xor_rows(rows: int = 300, seed: int = 0):
    X = np.random.default_rng(seed).integers(0, 2, size=(rows, 6))
    return X, X[:, 0] ^ X[:, 1] & X[:, 2]


def test_what_is_learned():
    X, y = xor_rows()
    rule = MacchiatoClassifier().fit(X, y)
    assert rule.score(X, y) == 1
    assert rule.support_.tolist() == [0, 1, 2]
    assert rule.n_stages_ == rule.circuit_.n_stages == len(rule.trace_["stages"])
    assert rule.n_features_in_ == 6 and not hasattr(rule, "feature_names_in_")
    assert rule.trace_["errors"] == 0
    bits = rule.to_bits(X)
    assert (rule.circuit_.evaluate(bits) == y).all()
    assert (rule.network_.evaluate(bits) == y).all()
    assert macchiato.check(rule.network_, rule.certificate_)
    assert rule.network_ is rule.network_, "made once"


def test_nothing_is_there_before_the_fit():
    rule = MacchiatoClassifier()
    names = ["circuit_", "network_", "certificate_", "trace_", "classes_", "support_", "n_stages_", "n_features_in_"]
    assert not any(hasattr(rule, name) for name in names)
    with pytest.raises(NotFittedError):
        rule.predict([[1]])


def test_several_classes_have_a_circuit_each_and_one_network():
    X, y = load_iris(return_X_y=True, as_frame=True)
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    assert len(rule.circuit_) == len(rule.trace_) == rule.network_.widths[-1] == 3
    assert rule.score(X, y) > 0.94
    proba = rule.predict_proba(X)
    assert np.allclose(proba.sum(axis=1), 1)
    assert (rule.classes_[proba.argmax(axis=1)] == rule.predict(X)).all()
    assert rule.certificate_.startswith("macchiato-certificate 1\n")
    for format in ["onnx", "safetensors"]:
        assert macchiato.check(rule.network_, rule.network_.certificate(format))
    bits = rule.to_bits(X)
    answers = np.stack([circuit.evaluate(bits) for circuit in rule.circuit_], axis=1)
    assert (rule.network_.evaluate(bits) == answers).all()
    clear = answers.sum(axis=1) == 1
    assert clear.mean() > 0.9 and (rule.classes_[answers.argmax(axis=1)] == rule.predict(X))[clear].all()
    assert rule.n_stages_ == sum(circuit.n_stages for circuit in rule.circuit_)


def test_circuits_are_in_the_order_of_the_classes():
    # Texts in their own order; the library orders them by their numbers.
    X, _ = xor_rows()
    y = np.array(["9", "10", "b"])[X[:, 0] + X[:, 1]]
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    assert rule.classes_.tolist() == ["10", "9", "b"]
    assert [circuit.target for circuit in rule.circuit_] == ["y = 10", "y = 9", "y = b"]
    errors = [
        (circuit.evaluate(rule.to_bits(X)) != (y == label)).sum()
        for circuit, label in zip(rule.circuit_, rule.classes_, strict=True)
    ]
    assert [trace["errors"] for trace in rule.trace_] == errors
    assert [circuit.target for circuit in rule.network_.circuits] == ["y = 9", "y = 10", "y = b"]


def in_onnx(rule, X, dtype="float64"):
    """What onnxruntime answers: label and probabilities."""
    session = onnxruntime.InferenceSession(rule.to_onnx(dtype=dtype), providers=["CPUExecutionProvider"])
    assert [value.name for value in session.get_outputs()] == ["label", "probabilities"]
    assert {value.name for value in session.get_inputs()} <= set(X.columns)

    def cells(value):
        column = X[value.name]
        if value.type == "tensor(string)":
            return column.fillna("").to_numpy(dtype=object)[:, None]
        return (column == "yes" if value.name == "smoker" else column).to_numpy(dtype=dtype)[:, None]

    return session.run(None, {value.name: cells(value) for value in session.get_inputs()})


@pytest.mark.filterwarnings("ignore::macchiato.NoRuleWarning")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("parameters", [{}, {"max_inputs": 3}], ids=str)
@pytest.mark.parametrize("target", ["income", "job", "smoker", "member", "decade"])
def test_onnx_answers_as_predict_and_predict_proba(people, target, parameters, dtype):
    people["decade"] = (people["age"] // 10 + (people["hours"] > 40)).to_numpy()
    people["hours"] = people["hours"].astype(dtype)
    people = people.dropna(subset=[target])
    X = people.drop(columns=target)
    rule = MacchiatoClassifier(effort=1, **parameters).fit(X, people[target])
    label, probabilities = in_onnx(rule, X, dtype)
    assert (label == rule.predict(X)).all()
    assert (probabilities == rule.predict_proba(X)).all()


@pytest.mark.parametrize("labels", [["10", "9", "b"], [0.0, 1.0, 1e6], [False, True], [-3, 7, 2**40]], ids=str)
def test_labels_in_onnx_are_the_classes(labels):
    X, _ = xor_rows()
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    y = np.array(labels)[np.minimum(X[:, 0] + X[:, 1], len(labels) - 1)]
    rule = MacchiatoClassifier(effort=1).fit(frame, y)
    label, probabilities = in_onnx(rule, frame)
    assert (label == y).all() and (probabilities == rule.predict_proba(frame)).all()


def test_a_table_of_ten_classes_in_onnx():
    X, y = load_digits(return_X_y=True, as_frame=True)
    X, y = X[::4], y[::4]
    rule = MacchiatoClassifier(effort=1, time_limit=20, max_conditions=8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InterruptedWarning)
        rule.fit(X, y)
    label, probabilities = in_onnx(rule, X)
    answers = rule.network_.evaluate(rule.to_bits(X))
    # Otherwise it would be no test: circuits that overlap or leave gaps.
    assert (answers.sum(axis=1) != 1).any()
    assert (label == rule.predict(X)).all()
    assert (probabilities == rule.predict_proba(X)).all()


def test_other_sizes_come_with_the_model(tmp_path):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    rule = MacchiatoClassifier(effort=1, pick="best").fit(X, y)
    sizes = [size["conditions"] for size in rule.path_]
    assert len(sizes) > 2 and sizes == sorted(set(sizes))
    small = rule.at(1)
    assert small.support_.size == 1 and small.path_ == rule.path_
    assert 0.85 < small.score(X, y) < rule.score(X, y)
    small.save(tmp_path / "small.json")
    again = MacchiatoClassifier.load(tmp_path / "small.json")
    assert again.path_ == rule.path_
    assert (again.at(sizes[-1]).predict(X) == rule.at(sizes[-1]).predict(X)).all()
    with pytest.raises(ParamError, match="size must be a whole number"):
        rule.at(2.5)


def test_sizes_of_several_classes_follow_the_order_of_classes():
    X, y = load_iris(return_X_y=True)
    # The library orders these by number, NumPy by text. One test tells the first species from the others.
    rule = MacchiatoClassifier(effort=1, pick="best").fit(X, np.array(["9", "10", "2"])[y])
    longest = {name: path[-1]["conditions"] for name, path in zip(rule.classes_, rule.path_)}
    assert longest["9"] == 1 and longest["10"] > 1


def test_one_class_is_the_answer_and_a_warning():
    with pytest.warns(SingleClassWarning, match="'a'"):
        rule = MacchiatoClassifier().fit([[1.5], [2.5]], ["a", "a"])
    assert rule.predict([[7.0]]).tolist() == ["a"]
    assert rule.predict_proba([[7.0]]).tolist() == [[1.0]]
    assert rule.circuit_.evaluate(rule.to_bits([[7.0]])).tolist() == [True]
    assert macchiato.check(rule.network_, rule.certificate_)
    assert rule.n_stages_ == 0 and rule.support_.size == 0
    session = onnxruntime.InferenceSession(rule.to_onnx(), providers=["CPUExecutionProvider"])
    assert [found.tolist() for found in session.run(None, {"x0": np.array([[7.0]])})] == [["a"], [[1.0]]]


@pytest.mark.parametrize(
    "labels",
    [[0, 1], [-3, 7], [0.0, 1.0], [False, True], ["no", "yes"], ["10", "9"], ["b", "a", "c"], [10, 2, 33]],
)
def test_classes_of_any_type(labels):
    X, _ = xor_rows()
    number = X[:, 0] + (len(labels) == 3) * X[:, 1]
    y = np.array(labels)[number]
    rule = MacchiatoClassifier().fit(X, y)
    assert rule.classes_.dtype == y.dtype and (rule.classes_ == np.unique(y)).all()
    assert (rule.predict(X) == y).all()
    proba = rule.predict_proba(X)
    assert (rule.classes_[proba.argmax(axis=1)] == y).all()


@pytest.mark.parametrize(
    "y",
    [
        pd.Series([False, True]),
        np.array([0, 1]),
        np.array([0, 1], dtype=np.int8),
        np.array([0, 1], dtype=np.uint16),
        np.array([0.0, 1.0]),
        np.array([1.0, 3.0], dtype=np.float32),
        np.array([-2.0, 1e6]),
        np.array(["no", "yes"]),
        np.array(["no", "yes"], dtype="U9"),
        pd.Series(["no", "yes"]),
        np.array(["0", "1"]),
        pd.Series(["007", "8", "9.50"]),
        np.array(["False", "True"]),
        np.array([10, 9, 2**63], dtype=np.uint64),
    ],
    ids=lambda y: f"{y.dtype}-{y[0]}",
)
def test_files_keep_the_classes_and_their_type(y, tmp_path):
    X, _ = xor_rows()
    y = y[X[:, 0] + (len(y) == 3) * X[:, 1]]
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    rule.save(tmp_path / "rule.json")
    again = MacchiatoClassifier.load(tmp_path / "rule.json")
    assert again.classes_.dtype == rule.classes_.dtype and (again.classes_ == rule.classes_).all()
    assert [type(value) for value in again.classes_.tolist()] == [type(value) for value in rule.classes_.tolist()]
    frame = pd.DataFrame(X, columns=again.feature_names_in_)
    assert (again.predict(frame) == np.asarray(y)).all() and again.predict(frame).dtype == rule.predict(X).dtype
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "rule.json").read_bytes()


@pytest.mark.parametrize("copy", [pickle.loads, None], ids=["pickle", "joblib"])
def test_copies_are_the_same(copy, people):
    X, y = people.drop(columns="income"), people["income"]
    rule = MacchiatoClassifier().fit(X, y)
    before = rule.predict_proba(X)
    assert macchiato.check(rule.network_, rule.certificate_)
    if copy:
        again = copy(pickle.dumps(rule))
    else:
        file = io.BytesIO()
        joblib.dump(rule, file)
        file.seek(0)
        again = joblib.load(file)
    assert (again.predict_proba(X) == before).all()
    assert again.circuit_ == rule.circuit_ and str(again.circuit_) == str(rule.circuit_)
    assert again.certificate_ == rule.certificate_
    assert not clone(rule).__sklearn_is_fitted__()


@pytest.mark.parametrize("target", ["income", "job"])
def test_parts_are_copied_too(people, target):
    people = people.dropna(subset=[target])
    rule = MacchiatoClassifier(effort=1).fit(people.drop(columns=target), people[target])
    circuit, network = pickle.loads(pickle.dumps((rule.circuit_, rule.network_)))
    assert str(circuit) == str(rule.circuit_) and network.to_onnx() == rule.network_.to_onnx()
    alone = macchiato.Circuit(["a", "b"], [[[(0, True), (1, False)]]])
    assert pickle.loads(pickle.dumps(alone)) == alone


def test_pipelines_and_searches():
    X, y = xor_rows()
    pipeline = make_pipeline(SelectKBest(k=5), MacchiatoClassifier())
    assert cross_val_score(pipeline, X.astype(float), y, cv=3).mean() > 0.7
    search = GridSearchCV(MacchiatoClassifier(), {"max_inputs": [1, 3], "effort": [1, 5]}, cv=3, n_jobs=2)
    search.fit(X, y)
    assert search.best_score_ == 1 and search.best_params_["max_inputs"] == 3


def test_the_seed_and_the_threads(people):
    X, y = people.drop(columns="income"), people["income"]
    first = MacchiatoClassifier(n_jobs=1).fit(X, y)
    assert first._model.to_bytes() == MacchiatoClassifier(n_jobs=2, random_state=0).fit(X, y)._model.to_bytes()
    state = np.random.RandomState(3)
    MacchiatoClassifier(random_state=state, effort=1).fit(X, y)


def test_weights_are_repetitions():
    X, y = xor_rows(120)
    weights = np.random.default_rng(1).integers(0, 4, 120)
    weighted = MacchiatoClassifier().fit(X, y, sample_weight=weights)
    repeated = MacchiatoClassifier().fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert weighted._model.to_bytes() == repeated._model.to_bytes()


def test_rows_of_weight_0_are_absent(people):
    X, y = people.drop(columns="income"), people["income"].astype(object)
    absent = np.random.default_rng(2).random(len(y)) < 0.3
    # What only they have: a class, a level, a gap, numbers beyond the others.
    y[absent] = "none"
    X.loc[absent, ["job", "age", "smoker"]] = ["diver", 200, None]
    rule = MacchiatoClassifier(effort=1).fit(X, y, sample_weight=(~absent).astype(float))
    expected = MacchiatoClassifier(effort=1).fit(X[~absent], y[~absent])
    assert rule._model.to_bytes() == expected._model.to_bytes()
    assert rule.classes_.tolist() == expected.classes_.tolist() == ["high", "low"]
    assert (rule.predict(X) == expected.predict(X)).all()
    asked = MacchiatoClassifier(effort=1).fit(X[~absent], y[~absent], eval_set=(X, y, ~absent))
    alone = MacchiatoClassifier(effort=1).fit(X[~absent], y[~absent], eval_set=(X[~absent], y[~absent]))
    assert asked._model.to_bytes() == alone._model.to_bytes()
    with pytest.warns(SingleClassWarning, match="'high'"):
        MacchiatoClassifier().fit(X, y, sample_weight=y == "high")
    with pytest.raises(macchiato.RowsError, match="every weight is zero"):
        MacchiatoClassifier().fit(X, y, sample_weight=np.zeros(len(y)))


def test_weights_that_are_shares():
    X, y = xor_rows()
    rule = MacchiatoClassifier().fit(X, y, sample_weight=np.full(len(y), 1 / len(y)))
    assert rule.score(X, y) == 1


def test_rows_that_decide():
    X, y = load_iris(return_X_y=True, as_frame=True)
    rule = MacchiatoClassifier().fit(X[::2], y[::2] == 1, eval_set=(X[1::2], y[1::2] == 1))
    assert rule.trace_["decision"]["by"] == "validation"
    X, y = xor_rows()
    with pytest.raises(ParamError, match="eval_set"):
        MacchiatoClassifier(method="paper").fit(X, y, eval_set=(X, y))
    with pytest.raises(macchiato.FitError, match="row 1"):
        MacchiatoClassifier().fit(X, y, eval_set=(X[:2], [0, 2]))


def test_the_papers_method():
    X = np.unpackbits(np.arange(16, dtype=np.uint8)[:, None], axis=1)[:, 4:]
    y = X[:, 0] & X[:, 1] ^ X[:, 2]
    rule = MacchiatoClassifier(method="paper", tau=0.05).fit(X, y)
    assert rule.score(X, y) == 1
    assert all("influences" in stage for stage in rule.trace_["stages"])


def test_verbose_names_the_best_so_far(capsys):
    X = np.random.default_rng(0).random((200, 3))
    y = (X[:, 0] > 0.5) ^ (np.arange(200) % 9 == 0)
    MacchiatoClassifier(verbose=1).fit(X, y)
    assert re.search(r"best so far \d+\.\d % of rows put aside, with \d+ condition", capsys.readouterr().out)


def test_verbose_says_what_is_tried(capsys):
    X, y = xor_rows()
    MacchiatoClassifier(verbose=1).fit(X, y)
    assert "looking for" in capsys.readouterr().out
    MacchiatoClassifier().fit(X, y)
    assert capsys.readouterr().out == ""


def test_time_is_limited():
    X, y = xor_rows(2000)
    with pytest.warns(InterruptedWarning, match="the search for tables was not finished"):
        rule = MacchiatoClassifier(time_limit=0).fit(X, y)
    assert rule.trace_["stop"] == "interrupted" and rule.interrupted_
    assert set(rule.predict(X)) <= {0, 1}


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "magic"},
        {"max_inputs": 0},
        {"max_stages": 0},
        {"max_stages": 1.5},
        {"tau": 1.0, "method": "paper"},
        {"tau": 0.5},
        {"effort": 10},
        {"random_state": -1},
        {"binarize": "fine"},
        {"binarize": 0},
        {"time_limit": -1},
    ],
    ids=str,
)
def test_parameters_are_checked_by_fit(wrong):
    X, y = xor_rows()
    rule = MacchiatoClassifier(**wrong)
    with pytest.raises(ParamError, match=next(iter(wrong))):
        rule.fit(X, y)


@pytest.mark.parametrize("cuts", ["auto", "evidence", "quantile", 5])
def test_ways_to_cut(cuts):
    X, y = load_iris(return_X_y=True)
    rule = MacchiatoClassifier(binarize=cuts).fit(X, y == 2)
    assert rule.score(X, y == 2) > 0.9
    assert len(rule.get_feature_names_out()) == rule.to_bits(X).shape[1]


def test_selectors_see_the_columns(people):
    # Names and order of the columns are scikit-learn's to check.
    X, y = people.drop(columns="income"), people["income"]
    numbers = X[make_column_selector(dtype_include="number")(X)]
    rule = MacchiatoClassifier(effort=1).fit(numbers, y)
    assert rule.feature_names_in_.tolist() == list(numbers.columns)
    with pytest.raises(ValueError, match="hours"):
        rule.predict(numbers.drop(columns="hours"))
