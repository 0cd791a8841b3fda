"""Explanations and reports: true by brute force, the same as the command's, and only ever text."""

from __future__ import annotations

import itertools
import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from macchiato import BinarizeError, Circuit, ExplainError, MacchiatoClassifier
from sklearn.exceptions import NotFittedError


def drawn(seed: int, inputs: int) -> Circuit:
    rng = np.random.default_rng(seed)

    def term() -> list[tuple[int, bool]]:
        read = rng.choice(inputs, size=rng.integers(1, 4), replace=False)
        return [(int(i), bool(rng.integers(2))) for i in sorted(read)]

    stages = [[term() for _ in range(rng.integers(1, 4))] for _ in range(rng.integers(1, 4))]
    return Circuit([f"x{i}" for i in range(inputs)], stages)


@pytest.mark.parametrize("seed", range(10))
def test_reasons_and_counterfactuals_by_brute_force(seed):
    circuit, inputs = drawn(seed, 6), 6
    cube = np.array(list(itertools.product([0, 1], repeat=inputs)))
    values = circuit.evaluate(cube)
    row = np.random.default_rng(seed).integers(0, 2, inputs)
    answer = circuit.evaluate(row[None])[0]
    why = circuit.explain_prediction(row)
    assert why["answer"] == str(int(answer))

    def forces(chosen) -> bool:
        same = (cube[:, list(chosen)] == row[list(chosen)]).all(axis=1)
        return bool((values[same] == answer).all())

    smallest = next(size for size in range(inputs + 1) if any(map(forces, itertools.combinations(range(inputs), size))))
    reason = [int(condition["feature"][1:]) for condition in why["reason"]["conditions"]]
    assert forces(reason) and len(reason) == smallest == why["reason"]["at_least"]
    others = cube[values != answer]
    if len(others) == 0:
        assert why["counterfactual"] == {"outcome": "impossible"}
    else:
        nearest = (others != row).sum(axis=1).min()
        changed = row.copy()
        for change in why["counterfactual"]["changes"]:
            changed[int(change["feature"][1:])] ^= 1
        assert circuit.evaluate(changed[None])[0] != answer
        assert len(why["counterfactual"]["changes"]) == nearest


@pytest.mark.parametrize("seed", range(5))
def test_influences_and_differences_by_counting(seed):
    one, two = drawn(seed, 5), drawn(seed + 100, 5)
    cube = np.array(list(itertools.product([0, 1], repeat=5)))
    apart = (one.evaluate(cube) != two.evaluate(cube)).mean()
    difference = one.explain_difference(two)
    assert difference["equal"] is bool(apart == 0)
    assert int(difference["points"]["number"]) / int(difference["points"]["of"]) == apart
    assert one.explain_difference(one)["equal"] is True
    for feature in one.explain()["circuits"][0]["features"]:
        flipped = cube.copy()
        flipped[:, int(feature["feature"][1:])] ^= 1
        assert feature["points"]["share"] == (one.evaluate(cube) != one.evaluate(flipped)).mean()


@pytest.mark.parametrize("target", ["income", "job"])
def test_the_command_says_the_same(command, people, tmp_path, target):
    people = people.dropna(subset=[target])
    X, y = people.drop(columns=target), people[target]
    rule = MacchiatoClassifier(max_inputs=3).fit(X, y)
    rule.save(tmp_path / "rule.json")
    people.to_csv(tmp_path / "people.csv", index=False)

    def said(*more: object) -> str:
        arguments = [command, "explain", tmp_path / "rule.json", "--quiet", *more]
        return subprocess.run(list(map(str, arguments)), check=True, capture_output=True, text=True).stdout

    assert rule.explain() == json.loads(said("--json"))
    assert rule.explain(X, y) == json.loads(said("--json", "--data", tmp_path / "people.csv"))
    why = rule.explain_prediction(X.iloc[[7]])
    asked = ("--row", 8, tmp_path / "people.csv")
    assert why == json.loads(said("--json", *asked)) and f"{why}\n" == said(*asked)


def test_other_columns_and_bits_are_refused(people):
    X, y = people.drop(columns="income"), people["income"]
    with pytest.raises(NotFittedError):
        MacchiatoClassifier().explain()
    rule = MacchiatoClassifier(max_inputs=3).fit(X, y)
    with pytest.raises(ValueError, match="as_frame=False is for one row, and X has 2"):
        rule.explain_prediction(X[:2], as_frame=False)
    with pytest.raises(BinarizeError):
        rule.explain_prediction(X[:1].drop(columns="age"))
    with pytest.raises(ValueError, match="ask the classifier"):
        rule.circuit_.explain()
    with pytest.raises(ValueError, match="'middling'"):
        rule.explain(X, ["middling"] * len(X))
    with pytest.raises(ExplainError, match="1 input values where there are 2 inputs"):
        Circuit(["a", "b"], [[[(0, True)]]]).explain_prediction([1])
    with pytest.raises(ValueError, match="neither 0 nor 1"):
        Circuit(["a"], [[[(0, True)]]]).explain_prediction([2])


def test_names_are_only_text(tmp_path):
    evil = "<script>alert(1)</script>"
    X = pd.DataFrame({evil: [0, 1] * 20, "b": [0, 0, 1, 1] * 10})
    rule = MacchiatoClassifier().fit(X, [0, 1, 1, 0] * 10)
    assert evil in str(rule.explain())
    assert evil not in rule.explain()._repr_html_() and "&lt;script&gt;" in rule.explain()._repr_html_()
    rule.report(tmp_path / "report.html", X, [0, 1, 1, 0] * 10)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert evil not in page and "&lt;script&gt;alert(1)" in page


def test_reports(people, tmp_path):
    X, y = people.drop(columns="income"), people["income"]
    rule = MacchiatoClassifier(max_inputs=3).fit(X[:300], y[:300])
    rule.report(tmp_path / "alone.html")
    rule.report(tmp_path / "all.html", X[:300], y[:300], X[300:], y[300:])
    alone, full = ((tmp_path / name).read_text(encoding="utf-8") for name in ("alone.html", "all.html"))
    assert alone.startswith("<!DOCTYPE html>") and "<h3>Test rows</h3>" not in alone
    right = (rule.predict(X[300:]) == y[300:]).sum()
    assert "<h3>Test rows</h3>" in full and f"{100 - right} wrong" in full
    with pytest.raises(ValueError, match="give y_test as well"):
        rule.report(tmp_path / "none.html", X_test=X)
    assert not (tmp_path / "none.html").exists()
