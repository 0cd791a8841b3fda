"""What a person asks of a rule besides its accuracy: weights of classes, columns to leave alone, directions, costs."""

from __future__ import annotations

import macchiato
import numpy as np
import pandas as pd
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
