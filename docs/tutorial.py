# %% [markdown]
# # Macchiato in Python
#
# From a table to a rule, its network and a certificate, in the time of a coffee. This file is a notebook in the percent
# format: editors such as VS Code and Spyder run it cell by cell, `jupytext --to ipynb docs/tutorial.py` makes a notebook of
# it, and the tests run every cell.

# %% [markdown]
# ## A table
#
# Who buys a season ticket? Numbers, texts, Booleans and gaps, as tables are.

# %%
import numpy as np
import pandas as pd

rng = np.random.default_rng(1)
rows = 800
visitors = pd.DataFrame(
    {
        "age": rng.integers(16, 80, rows),
        "distance": rng.gamma(2.0, 8.0, rows).round(1),
        "city": rng.choice(["Bern", "Basel", "Thun"], rows),
        "student": rng.random(rows) < 0.3,
    }
)
buys = (visitors["distance"] < 12) & (visitors["city"] != "Thun") | visitors["student"] & (visitors["age"] < 26)
visitors.loc[rng.random(rows) < 0.03, "distance"] = np.nan
ticket = pd.Series(np.where(buys, "yes", "no"), name="ticket")

# %% [markdown]
# ## Learn a rule
#
# `MacchiatoClassifier` is an estimator like scikit-learn's own. It takes the frame as it is: nothing to encode, scale or fill.

# %%
from sklearn.model_selection import train_test_split

from macchiato import MacchiatoClassifier

train, test, train_ticket, test_ticket = train_test_split(visitors, ticket, random_state=0)
rule = MacchiatoClassifier().fit(train, train_ticket)
print(rule.circuit_)

# %%
accuracy = rule.score(test, test_ticket)
assert accuracy > 0.95, accuracy
print(f"{accuracy:.3f} of the other rows are right")

# %% [markdown]
# The circuit is an exclusive or of *stages*, each of them an OR of ANDs. In a notebook it shows as a table; `to_expr` spells it in
# other ways, and `to_sympy` hands it to a computer algebra system.

# %%
print(rule.circuit_.to_expr("words"))
print("columns that it reads:", [rule.feature_names_in_[i] for i in rule.support_])

# %% [markdown]
# Probabilities are frequencies of training rows that the circuit answers alike.

# %%
proba = rule.predict_proba(test)
assert np.allclose(proba.sum(axis=1), 1)
assert (rule.classes_[proba.argmax(axis=1)] == rule.predict(test)).all()

# %% [markdown]
# ## Look at it
#
# With `max_inputs` a circuit is made of stages: how the errors went down stage by stage, the gates, and, where a circuit reads few inputs,
# its Karnaugh map.

# %%
from macchiato import plot_circuit, plot_kmap, plot_stages

staged = MacchiatoClassifier(max_inputs=4).fit(train, train_ticket)
plot_stages(staged)
plot_circuit(staged)

# %% [markdown]
# ## Ask why
#
# How much each column matters; and of one visitor, what forces the answer whatever the other columns are, and what would change it.
# All of it is proven, none of it sampled. `report` writes a page that shows everything to somebody without Python.

# %%
print(rule.explain())
why = rule.explain_prediction(test.iloc[[0]])
assert why["answer"] == str(rule.predict(test.iloc[[0]])[0])
print(why)
rule.report("ticket.html", train, train_ticket, test, test_ticket)

# %% [markdown]
# ## Prove it
#
# The circuit compiles to a ReLU network that computes exactly the same on 0 and 1, and the certificate ties every weight of the
# network's file to a gate. An independent checker, which shares no code with the rest, compares the two.

# %%
from macchiato import check

verdict = check(rule.network_, rule.certificate_)
assert verdict
print(verdict)

# %%
bits = rule.to_bits(test)
assert (rule.network_.evaluate(bits) == rule.circuit_.evaluate(bits)).all()

# %% [markdown]
# The files are for others: ONNX for any runtime, the certificate for `macchiato-check`, and the model for the `macchiato`
# command, which would have written the same bytes for the same table. The network reads bits; `rule.to_onnx` puts the tests
# of the columns in front of it, so that it reads the table.

# %%
rule.network_.to_onnx("ticket.onnx")
rule.to_onnx("table.onnx")
rule.network_.certificate(path="ticket.cert")
rule.save("ticket.json")
again = MacchiatoClassifier.load("ticket.json")
assert (again.predict(test) == rule.predict(test)).all()

# %% [markdown]
# `rule.network_.to_torch()` is the same network as a `torch.nn.Sequential`, to be fine-tuned;
# `check(tuned, certificate, behaviour=True)` then says whether it still computes the rule, and `network_.recertify(tuned)` which rule
# it computes now.

# %% [markdown]
# ## Among scikit-learn's tools
#
# Pipelines, cross-validation, searches, `clone`, pickle and joblib work as with any estimator.

# %%
from sklearn.model_selection import GridSearchCV

search = GridSearchCV(MacchiatoClassifier(), {"max_inputs": [None, 4], "effort": [1, 5]}, cv=3)
search.fit(train, train_ticket)
print(search.best_params_, f"{search.best_score_:.3f}")

# %% [markdown]
# More than two classes have a circuit each, in one network with an output for each, under one certificate.

# %%
from sklearn.datasets import load_iris

flowers, kind = load_iris(return_X_y=True, as_frame=True)
three = MacchiatoClassifier().fit(flowers, kind)
for circuit in three.circuit_:
    print(circuit)
assert check(three.network_, three.certificate_)
print(three.network_, three.network_.evaluate(three.to_bits(flowers[:3])))

# %% [markdown]
# What cannot be used is said with its place.

# %%
try:
    rule.predict(test.assign(age="old"))
except ValueError as error:
    print(error)
    assert error.column == "age" and error.row == 0

# %% [markdown]
# ## Minimize logic
#
# Underneath is a minimizer of Boolean functions that is of use by itself. Which segments of a display are lit by which digits?
# Here is the one at the top; digits above 9 do not occur, so they are open.

# %%
from macchiato import minimize

digits = [f"{digit:04b}" for digit in range(10)]
lit = [digits[i] for i in (0, 2, 3, 5, 6, 7, 8, 9)]
dark = [digits[i] for i in (1, 4)]
top = minimize(lit, dark, names=["d3", "d2", "d1", "d0"], target="top", exact=True)
print(top.circuit)
assert top.proven_optimal
plot_kmap(top.circuit)
