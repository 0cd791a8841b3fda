"""What rows prove."""

from __future__ import annotations

import pytest
from macchiato import BoundsError, MacchiatoClassifier, error_bound, rows_needed


def test_bounds():
    assert error_bound(0, 100) == pytest.approx(1 - 0.05 ** (1 / 100))
    assert error_bound(0, 0) == 1 and error_bound(5, 5) == 1
    with pytest.raises(ValueError, match="6 of 5 rows"):
        error_bound(6, 5)
    with pytest.raises(ValueError, match="between 0 and 1"):
        error_bound(0, 5, confidence=95)
    needed = rows_needed(40, 5, error=0.05)
    assert needed["junta"]["paper"] > needed["junta"]["realizable"] >= needed["junta"]["known_inputs"]
    with pytest.raises(BoundsError):
        rows_needed(5, 40, error=0.05)


def test_the_error_of_fresh_rows(people):
    X, y = people.drop(columns="income"), people["income"]
    rule = MacchiatoClassifier(max_inputs=3).fit(X[:300], y[:300])
    wrong = int((rule.predict(X[300:]) != y[300:]).sum())
    assert rule.error_bound(X[300:], y[300:]) == error_bound(wrong, 100)
    assert rule.error_bound(X[300:], ["middling"] * 100) == 1
