"""What a person is told: baselines, endings, names, and long answers that are cut."""

from __future__ import annotations

import re

import macchiato
import numpy as np
import pandas as pd
import pytest
from macchiato import MacchiatoClassifier, NoRuleWarning


def xor_rows():
    X = np.random.default_rng(0).integers(0, 2, size=(300, 6))
    return X, X[:, 0] ^ X[:, 1] & X[:, 2]


@pytest.mark.parametrize("labels", [[0, 1], ["no", "yes"]], ids=str)
def test_no_signal_is_said(labels):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 3))
    y = np.array(labels)[(np.arange(200) % 10 < 7).astype(int)]
    with pytest.warns(NoRuleWarning, match=rf"always '{labels[1]}', right on 70.0 % of the training rows"):
        rule = MacchiatoClassifier(effort=1).fit(X, y)
    assert str(rule.circuit_) == f"no rule: always {labels[1]} (70.0 %)"


def test_negated_answers_name_the_other_class():
    X, _ = xor_rows()
    frame = pd.DataFrame(X[:, :2] * 3.5, columns=["a", "b"])
    rule = MacchiatoClassifier(effort=1).fit(frame, np.where(X[:, 0] & X[:, 1], "no", "yes"))
    text = str(rule.circuit_)
    assert "¬" not in text and " 1 ⊕" not in text, text


def test_errors_begin_with_those_of_the_majority():
    X, _ = xor_rows()
    y = X[:, 0] | X[:, 1]
    rule = MacchiatoClassifier(max_inputs=2).fit(X, y)
    drawn = macchiato.plot_stages(rule).lines[0].get_ydata()
    assert drawn[0] == min(y.sum(), (1 - y).sum()) and drawn[-1] == 0


def test_long_answers_are_cut_and_say_so():
    names = [f"condition number {i}" for i in range(400)]
    circuit = macchiato.Circuit(names, [[[(i, True), (i + 1, False)] for i in range(399)]])
    text = str(circuit)
    assert len(text) < 2200 and text.endswith("(798 literals in all: to_expr() has them)")
    assert len(circuit.to_expr()) > 10_000
    why = macchiato.Explanation._of(("{}", "\n".join(["line"] * 1000)))
    assert str(why).endswith("... 940 more lines: the attribute text has them") and str(why).count("\n") == 60
    assert len(why.text.split("\n")) == 1000


def test_verbose_has_a_clock(capsys):
    X, y = xor_rows()
    MacchiatoClassifier(effort=1, verbose=1).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert lines and all(re.match(r" *\d+\.\d s  \w", line) for line in lines), lines
    assert re.search(r"found a circuit with 0 of \d+ rows wrong", lines[-1])


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_a_class_for_each_row_ends_at_once():
    X = np.random.default_rng(0).normal(size=(200, 5))
    with pytest.raises(macchiato.TargetError, match="200 classes on 200 rows, so most of them on one row alone"):
        MacchiatoClassifier().fit(X, [f"row {i}" for i in range(200)])


def test_a_continuous_target_is_refused_with_what_to_do():
    X = np.random.default_rng(0).normal(size=(50, 2))
    with pytest.raises(macchiato.TargetError, match=r"a classifier predicts classes\. Cut it into some"):
        MacchiatoClassifier().fit(X, X[:, 0])


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ([7, 12], '"7" > '),
        ([("a", "b"), ("a", "c")], "\"('a', 'b')\" > "),
        (["a < b", "c"], '"a < b" > '),
        (["net income", "c"], "net income > "),
        ([0, 1], "x0 > "),
    ],
    ids=str,
)
def test_names_are_kept_and_odd_ones_quoted(names, shown):
    x = np.random.default_rng(0).normal(size=(100, 2))
    frame = pd.DataFrame(x, columns=pd.MultiIndex.from_tuples(names) if isinstance(names[0], tuple) else names)
    rule = MacchiatoClassifier(effort=1).fit(frame, np.where(x[:, 0] > 0, "yes", "no"))
    assert f"y = yes if {shown}" in str(rule.circuit_)
    assert (rule.predict(frame) == np.where(x[:, 0] > 0, "yes", "no")).all()


def test_a_notebook_shows_the_rule():
    X, y = xor_rows()
    rule = MacchiatoClassifier(effort=1)
    assert "macchiato\"" not in rule._repr_mimebundle_()["text/html"]
    page = rule.fit(X, y)._repr_mimebundle_()["text/html"]
    assert '<div class="macchiato">' in page and "x0" in page


def test_impossible_cells_of_a_map_have_a_dash():
    x = np.random.default_rng(0).integers(0, 60, (300, 1)).astype(float)
    rule = MacchiatoClassifier(effort=1).fit(x, (x[:, 0] > 20) & (x[:, 0] < 40))
    texts = [text.get_text() for text in macchiato.plot_kmap(rule).texts]
    # Above the greater cut and not above the lesser one.
    assert sorted(texts) == ["0", "0", "1", "–"]


def test_logarithms_of_probabilities():
    X, y = xor_rows()
    rule = MacchiatoClassifier(effort=1).fit(X, y)
    assert np.allclose(np.exp(rule.predict_log_proba(X)), rule.predict_proba(X))
