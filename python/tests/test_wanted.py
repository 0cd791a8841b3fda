"""What a person asks of a rule besides its accuracy: weights of classes, columns to leave alone, directions, costs."""

from __future__ import annotations

import pickle
import sys

import macchiato
import numpy as np
import pandas as pd
import polars as pl
import pytest
from macchiato import MacchiatoClassifier, ParamError


def rare(rows: int = 600, seed: int = 0):
    """A class of one row in ten, most of whose rows lie where the other one is still more frequent."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"old": rng.random(rows) < 0.25, "tall": rng.random(rows) < 0.5, "noise": rng.random(rows) < 0.5})
    y = np.where(rng.random(rows) < np.where(X["old"], 0.35, 0.01), "ill", "well")
    return X, y


@pytest.mark.filterwarnings("ignore::macchiato.NoRuleWarning")
def test_balanced_classes_find_the_rare_one():
    X, y = rare()
    plain = MacchiatoClassifier(effort=1).fit(X, y)
    balanced = MacchiatoClassifier(effort=1, class_weight="balanced").fit(X, y)
    found = [(rule.predict(X)[y == "ill"] == "ill").mean() for rule in (plain, balanced)]
    assert found[0] < 0.1 and found[1] > 0.8
    share = (y == "ill").mean()
    same = MacchiatoClassifier(effort=1, class_weight={"ill": 1 / share, "well": 1 / (1 - share)}).fit(X, y)
    assert same._model.to_bytes() == balanced._model.to_bytes()


def test_only_the_balance_shifts_and_weights_stay_repetitions():
    X, y = rare()
    ratio = {"ill": 6.0, "well": 1.0}
    rule = MacchiatoClassifier(effort=1, class_weight=ratio).fit(X, y)
    for factor in (1e-3, 1e3):
        scaled = {label: weight * factor for label, weight in ratio.items()}
        assert MacchiatoClassifier(effort=1, class_weight=scaled).fit(X, y)._model.to_bytes() == rule._model.to_bytes()
    times = np.where(X["tall"], 2, 1)
    weighted = MacchiatoClassifier(effort=1, class_weight="balanced").fit(X, y, sample_weight=times)
    repeated = MacchiatoClassifier(effort=1, class_weight="balanced").fit(X.loc[X.index.repeat(times)], y.repeat(times))
    assert (weighted.predict(X) == repeated.predict(X)).all()


def test_class_weights_that_are_none():
    X, y = rare(60)
    for class_weight, why in [
        ("even", "class_weight is 'even': give None, 'balanced' or a dict"),
        ({"dead": 2}, r"class_weight: no row of y is 'dead': the classes are \['ill', 'well'\]"),
        ({"ill": -1}, "class_weight: the class 'ill' has the weight -1: give a number from 0 on"),
        ({"ill": 0, "well": 0}, "every class has the weight 0"),
    ]:
        with pytest.raises(ParamError, match=why):
            MacchiatoClassifier(class_weight=class_weight).fit(X, y)
    with pytest.raises(ParamError, match="class_weight is a parameter of fits in memory"):
        macchiato.fit_table(None, "y", class_weight="balanced")


def twins(rows: int = 200):
    """A column that decides, a copy of it with a fault, and a date that no test can read."""
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, rows)
    copy = np.where(np.arange(rows) == 0, 5, age)
    X = pd.DataFrame({"age": age, "copy": copy, "on": pd.Timestamp("2020-01-01"), "noise": rng.integers(0, 9, rows)})
    return X, np.where(age > 40, "old", "young")


@pytest.mark.parametrize("exclude", [["age", "on"], [0, -2], ["age", 2]])
def test_no_circuit_reads_an_excluded_column(exclude, tmp_path):
    X, y = twins()
    assert MacchiatoClassifier(effort=1).fit(X[["age", "copy"]], y).support_.tolist() == [0]
    rule = MacchiatoClassifier(effort=1, exclude=exclude).fit(X, y)
    # There is no test of them that could be read.
    assert {0, 2}.isdisjoint(rule._model.bit_columns) and rule.support_.tolist() == [1]
    anything = X.assign(age=np.nan, on="whenever")
    assert (rule.predict(anything) == rule.predict(X)).all() and rule.n_features_in_ == 4
    assert "age" in str(rule.explain(X, y)) and rule.explain_prediction(X[:1])["answer"] == y[0]
    rule.save(tmp_path / "model.json")
    again = MacchiatoClassifier.load(tmp_path / "model.json")
    assert (again.predict(X) == rule.predict(X)).all()


def test_excluded_columns_that_are_none():
    X, y = twins(60)
    for exclude, why in [
        ("age", r"exclude is 'age': give a list of columns, as in \['age'\]"),
        (["aeg"], "exclude: no column 'aeg': there are 'age', 'copy', 'on', 'noise'"),
        ([4], "exclude: no column 4: there are"),
    ]:
        with pytest.raises(ParamError, match=why):
            MacchiatoClassifier(exclude=exclude).fit(X, y)
    with pytest.raises(macchiato.BinarizeError, match="every column is excluded: leave at least one"):
        MacchiatoClassifier(exclude=[0, 1, 2, 3]).fit(X, y)


def brute_importances(rule, X):
    """The same by predictions: each cell replaced by every value that the column has."""
    before, shares = rule.predict(X), []
    for name in X.columns:
        changes = np.zeros(len(X), dtype=bool)
        for value in X[name].unique():
            changes |= rule.predict(X.assign(**{name: value})) != before
        shares.append(changes.mean())
    return np.array(shares) / sum(shares)


def test_importances_are_exact_influences_on_the_training_rows(people, tmp_path):
    people = people.dropna()
    X, y = people.drop(columns="income"), people["income"]
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    assert np.allclose(rule.feature_importances_, brute_importances(rule, X)) and rule.support_.size > 1
    assert rule.feature_importances_.sum() == pytest.approx(1)
    assert np.flatnonzero(rule.feature_importances_).tolist() == rule.support_.tolist()
    copy = pickle.loads(pickle.dumps(rule))
    assert (copy.feature_importances_ == rule.feature_importances_).all()
    rule.save(tmp_path / "model.json")
    for other in (MacchiatoClassifier.load(tmp_path / "model.json"), rule.at(1)):
        with pytest.raises(AttributeError, match=r"counted by fit on its rows, for its circuit alone: explain\(X\)"):
            other.feature_importances_  # noqa: B018
    assert not hasattr(MacchiatoClassifier(), "feature_importances_")


@pytest.mark.filterwarnings("ignore::macchiato.NoRuleWarning")
def test_importances_of_several_classes_of_weights_and_of_nothing():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 4))
    rule = MacchiatoClassifier(effort=1).fit(X, X[:, 0] + X[:, 2])
    assert rule.feature_importances_[[0, 2]] == pytest.approx([0.5, 0.5], abs=0.05)
    y = X[:, 0] & X[:, 1]
    weights = np.where(X[:, 0], 3.0, 1.0)
    rule = MacchiatoClassifier(effort=1).fit(X, y, sample_weight=weights)
    # x0 matters where x1 is 1, x1 where x0 is.
    shares = np.array([weights[X[:, 1] == 1].sum(), weights[X[:, 0] == 1].sum(), 0, 0])
    assert rule.feature_importances_ == pytest.approx(shares / shares.sum())
    nothing = MacchiatoClassifier(effort=1).fit(X, rng.integers(0, 2, 300))
    assert nothing.support_.size or (nothing.feature_importances_ == 0).all()


def test_many_rows_are_explained_at_once(people, monkeypatch):
    X, y = people.drop(columns="income"), people["income"]
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    asked = X.iloc[[5, 3, 300]]
    frame = rule.explain_prediction(asked)
    assert frame.index.tolist() == [5, 3, 300]
    assert list(frame) == ["prediction", "probability", "because", "smallest", "change", "becomes", "nearest"]
    assert frame["prediction"].tolist() == rule.predict(asked).tolist()
    assert frame["probability"].tolist() == rule.predict_proba(asked).max(axis=1).tolist()
    for row, facts in zip([5, 3, 300], frame.to_dict("records")):
        one = rule.explain_prediction(X.loc[[row]])
        assert facts["because"] == ", ".join(condition["text"] for condition in one["reason"]["conditions"])
        assert facts["change"] == ", ".join(change["to"] for change in one["counterfactual"]["changes"])
        assert facts["becomes"] == one["counterfactual"]["becomes"] != facts["prediction"]
        assert facts["smallest"] and facts["nearest"]
    assert len(rule.explain_prediction(X.iloc[[7]], as_frame=True)) == 1
    assert len(rule.explain_prediction(X.iloc[:0])) == 0
    with pytest.raises(ValueError, match="as_frame=False is for one row, and X has 3: give"):
        rule.explain_prediction(asked, as_frame=False)
    asked = pl.from_pandas(asked)
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert rule.explain_prediction(asked) == frame.to_dict("records"), "a list of dicts where there is no pandas"


def test_what_can_be_acted_on():
    X = pd.DataFrame({"age": [30, 60] * 100, "hours": ([40] * 2 + [55] * 2) * 50, "pet": [0, 1, 1, 0, 0] * 40})
    rule = MacchiatoClassifier(effort=1).fit(X, (X["age"] > 41) & (X["hours"] > 50))
    poor = pd.DataFrame({"age": [30], "hours": [40], "pet": [0]})
    free = rule.explain_prediction(poor)["counterfactual"]
    assert {change["feature"] for change in free["changes"]} == {"age", "hours"}
    why = rule.explain_prediction(poor, actionable=["hours", "pet"])
    assert why["counterfactual"] == {"outcome": "impossible"} and why["actionable"] == ["hours", "pet"]
    assert "none by hours, pet" in str(why) and "while the other columns stay, y = False: proven" in str(why)
    close = poor.assign(age=60)
    why = rule.explain_prediction(close, actionable=[1])
    assert [change["feature"] for change in why["counterfactual"]["changes"]] == ["hours"]
    frame = rule.explain_prediction(pd.concat([poor, close]), actionable=["hours"])
    assert frame["change"].isna().tolist() == [True, False] and frame["nearest"].all()
    assert frame["becomes"].tolist() == [None, True]
    with pytest.raises(ParamError, match="actionable: no column 'hour': there are 'age', 'hours', 'pet'"):
        rule.explain_prediction(poor, actionable=["hour"])


def test_what_cannot_be_acted_on_is_true_of_every_row(people):
    people = people.dropna()
    X, y = people.drop(columns="income"), people["income"]
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    frame = rule.explain_prediction(X, actionable=["hours"])
    stuck = frame["change"].isna()
    assert stuck.any() and not stuck.all() and frame["nearest"].all()
    moved = np.zeros(len(X), dtype=bool)
    for hours in X["hours"].unique():
        moved |= rule.predict(X.assign(hours=hours)) != rule.predict(X)
    assert (moved == ~stuck).all()


def dip(rows: int = 600, seed: int = 0):
    """Income rises with age, but for a dip, and with the hours; a category beside them."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"age": rng.integers(18, 80, rows), "hours": rng.integers(10, 60, rows), "job": rng.choice(["a", "b"], rows)})
    rich = (X["age"] > 40) & ~X["age"].between(55, 65) | (X["hours"] > 50)
    return X, np.where(rich, "rich", "poor")


def grid(X):
    ages, hours, jobs = (np.unique(X[name]) for name in X)
    cells = np.stack(np.meshgrid(jobs, hours, ages, indexing="ij"), axis=-1).reshape(-1, 3)
    return pd.DataFrame({"age": cells[:, 2].astype(int), "hours": cells[:, 1].astype(int), "job": cells[:, 0]}), len(ages)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.filterwarnings("ignore::macchiato.NoRuleWarning")
def test_monotone_circuits_are(sign):
    X, y = dip()
    if sign < 0:
        X["age"] = -X["age"]
    cells, ages = grid(X)
    steps = [
        np.diff((rule.predict(cells) == "rich").reshape(-1, ages).astype(int), axis=1)
        for rule in (
            MacchiatoClassifier(effort=1).fit(X, y),
            MacchiatoClassifier(effort=1, monotone={"age": sign}).fit(X, y),
            MacchiatoClassifier(effort=1, monotone={"age": -sign, 1: 1}).fit(X, y),
        )
    ]
    assert (steps[0] > 0).any() and (steps[0] < 0).any()
    assert (steps[1] * sign > 0).any() and not (steps[1] * sign < 0).any()
    assert not (steps[2] * sign > 0).any()
    # Whatever of the front is taken instead is proven as well.
    rule = MacchiatoClassifier(effort=1, monotone={"age": sign}).fit(X, y)
    for size in rule.path_:
        other = np.diff((rule.at(size["conditions"]).predict(cells) == "rich").reshape(-1, ages).astype(int), axis=1)
        assert not (other * sign < 0).any()


@pytest.mark.filterwarnings("ignore::macchiato.NoRuleWarning")
def test_what_is_monotone_anyway_stays_as_it_is():
    X, y = twins()
    X = X.drop(columns="on")
    plain = MacchiatoClassifier(effort=1).fit(X, y)
    # The last class is "young".
    assert MacchiatoClassifier(effort=1, monotone={"age": -1}).fit(X, y)._model.to_bytes() == plain._model.to_bytes()
    other = MacchiatoClassifier(effort=1, monotone={"age": 1, "copy": 1}).fit(X, y)
    assert {0, 1}.isdisjoint(other.support_)


def test_directions_that_are_none():
    X, y = dip(60)
    for parameters, why in [
        ({"monotone": ["age"]}, r"monotone is \['age'\]: give a dict"),
        ({"monotone": {"aeg": 1}}, "monotone: no column 'aeg': there are 'age', 'hours', 'job'"),
        ({"monotone": {"age": 2}}, "monotone: the column 'age' has the direction 2: give 1 or -1"),
        ({"monotone": {"job": 1}}, '"job" is a category, whose values have no order'),
        ({"monotone": {"age": 1}, "method": "paper"}, "only the method auto without a most number of inputs"),
    ]:
        with pytest.raises(ParamError, match=why):
            MacchiatoClassifier(effort=1, **parameters).fit(X, y)
    with pytest.raises(ParamError, match='the target "y" has 3 classes, and only the circuit of two can be monotone'):
        MacchiatoClassifier(monotone={"age": 1}).fit(X, np.arange(60) % 3)


def loan(rows: int = 2000, seed: int = 0):
    """One in ten of the many fails, one in three of the few."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"late": rng.random(rows) < 0.3, "noise": rng.random(rows) < 0.5, "owner": rng.random(rows) < 0.5})
    rate = np.where(X["late"], np.where(X["owner"], 0.3, 0.7), 0.1)
    return X, np.where(rng.random(rows) < rate, "fails", "pays")


def test_costs_move_the_threshold_and_not_the_circuit():
    X, y = loan()
    plain = MacchiatoClassifier(effort=1).fit(X, y)
    assert plain.classes_.tolist() == ["fails", "pays"] and plain.decision_threshold_ == 0.5
    # To believe one who fails costs ten times what it costs to refuse one who pays.
    rule = MacchiatoClassifier(effort=1, false_positive_cost=10).fit(X, y)
    assert rule.decision_threshold_ == pytest.approx(10 / 11)
    assert rule._model.to_bytes() == plain._model.to_bytes() and rule.certificate_ == plain.certificate_
    proba = rule.predict_proba(X)[:, 1]
    assert (rule.predict(X) == np.where(proba >= 10 / 11, "pays", "fails")).all()

    def cost(answers):
        return 10 * ((answers == "pays") & (y == "fails")).sum() + ((answers == "fails") & (y == "pays")).sum()

    assert cost(rule.predict(X)) < cost(plain.predict(X))
    cautious = rule.set_params(false_positive_cost=1, false_negative_cost=1)
    assert (cautious.predict(X) == plain.predict(X)).all()


def test_costs_and_what_gives_the_circuits_answers(tmp_path):
    X, y = loan(300)
    rule = MacchiatoClassifier(effort=1, false_negative_cost=3).fit(X, y)
    why = "predict answers by the threshold 0.25: call set_params"
    for give in [rule.to_onnx, lambda: rule.save(tmp_path / "m.json"), lambda: rule.to_sql("duckdb"), lambda: rule.explain_prediction(X[:1])]:
        with pytest.raises(ParamError, match=why):
            give()
    assert rule.score(X, y) == (rule.predict(X) == y).mean()
    rule.set_params(false_negative_cost=1).save(tmp_path / "m.json")
    assert MacchiatoClassifier.load(tmp_path / "m.json").decision_threshold_ == 0.5


@pytest.mark.filterwarnings("ignore::macchiato.NoRuleWarning")
def test_costs_that_are_none():
    X, y = loan(60)
    for parameters, why in [
        ({"false_positive_cost": 0}, "false_positive_cost is 0: give a number above 0"),
        ({"false_negative_cost": "much"}, "false_negative_cost is 'much': give a number above 0"),
        ({"false_negative_cost": 2, "monotone": {"late": 1}}, "monotone is proven of the circuit"),
    ]:
        with pytest.raises(ParamError, match=why):
            MacchiatoClassifier(**parameters).fit(X, y)
    with pytest.raises(ParamError, match="are about two classes, and y has 3: give class_weight"):
        MacchiatoClassifier(false_negative_cost=2).fit(X, np.arange(60) % 3)
    assert not hasattr(MacchiatoClassifier(effort=1).fit(X, np.arange(60) % 3), "decision_threshold_")
    assert not hasattr(MacchiatoClassifier(), "decision_threshold_")
