"""Explanations of many rows: a table with one row for each."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray


def explained_rows(explained: str, which: list[int], X: Any, answers: tuple[NDArray[Any], NDArray[Any]], names: Any) -> Any:
    """A pandas DataFrame with the index of `X`, or a list of dicts where there is no pandas.

    `answers` are the predictions and their probabilities, `names` the classes by their texts.
    """
    facts = [_facts(explanation, names) for explanation in json.loads(explained)]
    predictions, probabilities = answers
    rows = [
        {"prediction": prediction, "probability": probability, **facts[place]}
        for prediction, probability, place in zip(predictions.tolist(), probabilities.tolist(), which)
    ]
    try:
        import pandas as pd
    except ImportError:
        return rows
    index = X.index if isinstance(X, pd.DataFrame) else None
    frame = pd.DataFrame(rows, index=index, columns=["prediction", "probability", *_COLUMNS])
    return frame.assign(prediction=predictions)


_COLUMNS = ("because", "smallest", "change", "becomes", "nearest")


def _facts(explanation: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    reason, other = explanation["reason"], explanation["counterfactual"]
    conditions = reason["conditions"]
    changes = other.get("changes")
    return {
        "because": ", ".join(condition["text"] for condition in conditions),
        "smallest": reason["at_least"] == len(conditions),
        "change": None if changes is None else ", ".join(change["to"] for change in changes),
        "becomes": names.get(other.get("becomes")),
        # That there is none is proven as well.
        "nearest": other["outcome"] == "impossible" or changes is not None and len(changes) == other["at_least"],
    }
