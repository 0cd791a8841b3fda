"""Models as SQL, run by the engines themselves: every row of a table of odd values gets what `predict` gives."""

from __future__ import annotations

import copy
import functools
import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from engines import ENGINES
from macchiato import ExportError, MacchiatoClassifier, _macchiato
from macchiato._file_gates import gate_values, gates_of, keys_of
from macchiato._questions import Groups
from macchiato._recount import read_model, recount

ROWS = 20_000

JOBS = ["cook", "clerk", "Cook", " cook ", "cook\t", "it's", 'say "x"', "back\\slash", "`tick`", "${x}", "%s", "é", "e\u0301", "日本", "🦊"]
JOBS += ["two\nlines", "NA", "?", "", "null", "--", "/* */", ";", "\u00a0cook", "x" * 300, "0", "1.0", "never in training"]


@pytest.fixture(scope="module", params=list(ENGINES))
def engine(request):
    made = ENGINES[request.param]()
    yield made
    if hasattr(made, "close"):
        made.close()


def table(rows, seed, odd):
    """Gaps, NaN and odd texts; where it is `odd`, infinite numbers, limits of floats and texts that no training row has."""
    rng = np.random.default_rng(seed)
    age = rng.choice([rng.normal(40, 15, rows), rng.integers(18, 90, rows).astype(float)][0], rows)
    limits = [np.finfo(float).max, -np.finfo(float).max, 5e-324, -5e-324, 2.2250738585072014e-308, -0.0, 0.0, 1e300, 0.1 + 0.2, 0.3]
    tiny = rng.choice([*limits, 0.30000000000000004, np.nextafter(0.3, 1), 1e-310, 3.0, -3.0], rows)
    age[rng.random(rows) < 0.05] = np.nan
    whole = rng.integers(-6, 7, rows)
    big = rng.choice([2**63 - 1, -(2**63), 2**53, 2**53 + 1, 2**53 - 1, 0, -1], rows)
    half = rng.normal(0, 1, rows).astype(np.float32)
    if odd:
        age[rng.random(rows) < 0.02] = np.inf
        age[rng.random(rows) < 0.02] = -np.inf
    gap = rng.random(rows) < 0.1
    jobs = rng.choice(np.array(JOBS if odd else JOBS[:-1], dtype=object), rows)
    smoker = rng.choice(np.array(["yes", "No", "TRUE", " f ", "N/A", "y"], dtype=object), rows)
    return pa.table(
        {
            "age": pa.array(age, mask=rng.random(rows) < 0.03, from_pandas=False),
            "tiny": pa.array(tiny),
            'odd "name` ': pa.array(whole, mask=gap),
            "big": pa.array(big),
            "half": pa.array(half),
            "job": pa.array(jobs.tolist(), mask=rng.random(rows) < 0.05),
            "smoker": pa.array(smoker.tolist()),
            "flag": pa.array(rng.random(rows) < 0.5, mask=gap),
        }
    )


def column(rows, name):
    return rows[name].to_pandas().to_numpy()


def two_classes(rows):
    age, tiny, job = (column(rows, name) for name in ("age", "tiny", "job"))
    smokes = np.array([str(text).strip().lower() in {"yes", "true", "y"} for text in column(rows, "smoker")])
    return np.where(((age > 41.5) & (job != "clerk")) ^ (smokes & (tiny > 0.3)), "it's\\high", "low")


def five_classes(rows):
    whole, job, big = (column(rows, name) for name in ('odd "name` ', "job", "big"))
    label = np.where(whole > 2, "c", two_classes(rows))
    label = np.where(big > 2**53, "d", label)
    return np.where((job == "cook") & (column(rows, "half") > 0), "e", label)


def expected(model, rows):
    """What `predict` gives, None where it refuses the row, and the probabilities."""
    circuits = [model._model.circuit(number) for number in range(len(model._model.learned))]
    literals = [literal for circuit in circuits for _, _, several in circuit.gates for literal in several]
    literals += [circuit.output for circuit in circuits]
    bits = {number for kind, number, *_ in literals if kind == "input"}
    read = {model._model.columns[model._model.bit_columns[bit]][0] for bit in bits}
    refused = np.zeros(rows.num_rows, dtype=bool)
    for name in read:
        if pa.types.is_floating(rows[name].type):
            refused |= np.isinf(np.asarray(rows[name].to_pandas(), dtype=float))
    taken = rows.filter(pa.array(~refused))
    # Columns that no circuit reads are not looked at.
    for name in set(rows.column_names) - read:
        if pa.types.is_floating(taken[name].type):
            at = taken.column_names.index(name)
            taken = taken.set_column(at, name, pa.array(np.zeros(taken.num_rows), taken[name].type))
    classes, shares = np.full(rows.num_rows, None, dtype=object), np.full((rows.num_rows, len(model.classes_)), np.nan)
    classes[~refused] = model.predict(taken).astype(object)
    shares[~refused] = model.predict_proba(taken)
    return classes, shares, refused


def compare(engine, model, rows):
    """The rows of the engine that differ."""
    numbered = rows.append_column("id", pa.array(range(rows.num_rows)))
    answer = engine.run(numbered, model.to_sql(engine.dialect, "rows", ["id"]))
    assert len(answer) == rows.num_rows
    answer.sort(key=lambda row: row["id"])
    classes, shares, refused = expected(model, rows)
    found = np.array([row["prediction"] for row in answer], dtype=object)
    assert (found != classes).sum() == 0
    order = np.argsort(model._places)
    if len(model.classes_) == 2:
        ours = shares[:, [model._places[model._model.learned[0]]]]
        theirs = [[row["probability"]] for row in answer]
    else:
        ours = shares[:, model._places] if len(order) else shares
        theirs = [[row[f"probability_{c + 1}"] for c in range(len(model.classes_))] for row in answer]
    theirs = np.array(theirs, dtype=float)
    assert ((theirs == ours) | (np.isnan(theirs) & np.isnan(ours))).all()


@pytest.mark.parametrize("classes", [two_classes, five_classes])
def test_every_row_is_predicted_alike(engine, classes):
    rows = table(ROWS, 2, odd=True)
    assert expected(learned(classes), rows)[2].any()
    compare(engine, learned(classes), rows)


@functools.cache
def learned(classes):
    train = table(6000, 1, odd=False)
    return MacchiatoClassifier(effort=2).fit(train, classes(train))


def with_gates(model, gates, output):
    """The model with another circuit, and the counts of some rows for it."""
    rows = table(3000, 3, odd=False)
    file = json.loads(model._model.to_bytes())
    circuit = file["circuits"][0]
    circuit["gates"], circuit["output"] = gates, output
    circuit["trace"]["stages"], circuit["trace"]["stop"] = [], "no_evidence"
    circuit["trace"].pop("decision", None)
    bits = model.to_bits(rows).astype(np.int64)
    labels = (two_classes(rows) == "low").astype(np.int64)
    made = gates_of(circuit, model._model.bit_names)
    counts = np.ones(len(bits), dtype=np.int64)
    groups = Groups(keys_of(made, bits), labels, np.zeros(len(bits), dtype=np.int64), counts)
    recount(circuit, model._model.bit_names, groups, 1, [int(values.sum()) for values in gate_values(made, bits)])
    model._learned(read_model(file), [])
    return model


def random_gates(names, seed, count):
    """Gates of every rule, several of which read each gate."""
    rng = np.random.default_rng(seed)
    gates = []
    for g in range(count):
        literals = []
        for _ in range(int(rng.integers(2, 6))):
            literal = {"negated": True} if rng.random() < 0.4 else {}
            if g and rng.random() < 0.7:
                literal["gate"] = int(rng.integers(max(0, g - 4), g))
            else:
                literal["input"] = str(rng.choice(names))
            literals.append(literal)
        rule = str(rng.choice(["and", "or", "xor", "at least", "counts"]))
        if rule in {"at least", "counts"}:
            for literal in literals:
                literal["points"] = int(rng.integers(1, 9))
        gate = {"rule": rule, "literals": literals}
        most = sum(literal.get("points", 1) for literal in literals)
        if rule == "at least":
            gate["least"] = int(rng.integers(1, most + 2))
        if rule == "counts":
            gate["counts"] = [[c, c] for c in range(int(rng.integers(0, 2)), most + 1, 2)]
        gates.append(gate)
    return gates, {"gate": count - 1}


def wide_gate(names, rule):
    literals = [{"input": names[i % len(names)], **({"negated": True} if i % 3 == 0 else {})} for i in range(1200)]
    gate = {"rule": rule, "literals": literals}
    if rule == "at least":
        gate["least"] = 500
    if rule == "counts":
        gate["counts"] = [[c, c + 1] for c in range(0, 1200, 4)]
    return [gate], {"gate": 0}


def chain(names, depth):
    """Each gate reads the one before twice: written out it would have 2^depth literals."""
    gates = [{"rule": "xor", "literals": [{"input": names[0]}, {"input": names[1]}]}]
    for g in range(1, depth):
        both = [{"gate": g - 1}, {"input": names[g % len(names)]}]
        gates.append({"rule": "and" if g % 2 else "or", "literals": [*both, {"gate": max(0, g - 2), "negated": g % 3 == 0}]})
    for gate in gates:
        for literal in gate["literals"]:
            if literal.get("negated") is False:
                del literal["negated"]
    return gates, {"gate": depth - 1, "negated": True}


@pytest.mark.parametrize("shape", ["random 1", "random 2", "wide or", "wide xor", "wide at least", "wide counts", "deep"])
def test_every_circuit_of_gates(engine, shape):
    model = copy.copy(learned(two_classes))
    names = model._model.bit_names
    kind, _, which = shape.partition(" ")
    if kind == "random":
        made = random_gates(names, int(which), 25)
    elif kind == "wide":
        made = wide_gate(names, which)
    else:
        made = chain(names, 60)
    compare(engine, with_gates(model, *made), table(2000, 4, odd=True))


def test_names_that_an_engine_does_not_tell_apart_are_refused():
    rng = np.random.default_rng(0)
    rows = pa.table({"a": rng.random(400), "A": rng.random(400)})
    model = MacchiatoClassifier().fit(rows, column(rows, "a") > 0.5)
    for dialect in ("duckdb", "sqlite", "spark"):
        with pytest.raises(ExportError, match="upper and lower case"):
            model.to_sql(dialect)
    assert '"a"' in model.to_sql("postgres")
    with pytest.raises(ExportError, match='"Prediction" is called as a column of the result'):
        model.to_sql("postgres", keep=["Prediction"])
    with pytest.raises(ValueError, match='no dialect "oracle": give one of duckdb, postgres, sqlite, spark'):
        model.to_sql("oracle")


ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("dialect", list(ENGINES))
def test_the_golden_text(dialect):
    """`MACCHIATO_BLESS=1` writes the files instead; read them before you commit them."""
    model = MacchiatoClassifier.load(ROOT / "crates/macchiato/src/model/golden_table.json")
    path = ROOT / "testdata" / "export" / f"table.{dialect}.sql"
    made = model.to_sql(dialect, "people", ["job"]) + "\n"
    if os.environ.get("MACCHIATO_BLESS"):
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8")


def test_the_golden_text_runs(engine):
    people = pa.table({"age": [50.0, 50.0, 30.0, None], "job": ["clerk", "cook", "clerk", "cook"], "smoker": ["no", "no", "yes", None]})
    sql = (ROOT / "testdata" / "export" / f"table.{engine.dialect}.sql").read_text(encoding="utf-8").replace("FROM people", "FROM rows")
    found = sorted((row["job"], row["prediction"]) for row in engine.run(people, sql))
    assert found == [("clerk", "high"), ("clerk", "high"), ("cook", "low"), ("cook", "low")]


def test_one_expression(engine):
    train = table(6000, 1, odd=False)
    model = MacchiatoClassifier().fit(train, np.where(column(train, "age") > 41.5, "old", "young"))
    rows = table(2000, 5, odd=True).append_column("id", pa.array(range(2000)))
    sql = f"SELECT id, {model.to_sql(engine.dialect, expression=True)} AS p FROM rows"
    found = {row["id"]: row["p"] for row in engine.run(rows, sql)}
    classes, _, _ = expected(model, rows.drop_columns(["id"]))
    assert [found[i] for i in range(2000)] == classes.tolist()


def test_a_single_class_is_always_the_answer(engine):
    rows = pa.table({"a": [1.0, 2.0, None]})
    with pytest.warns(match="the only class"):
        model = MacchiatoClassifier().fit(rows, ["x", "x", "x"])
    answer = engine.run(rows, model.to_sql(engine.dialect))
    assert [(row["prediction"], row["probability"]) for row in answer] == [("x", 1.0)] * 3


def test_what_the_engine_gives_of_circuits(engine):
    """Tests, keys and gates: what counts are made of."""
    model = learned(two_classes)
    rows = table(2000, 6, odd=False).append_column("id", pa.array(range(2000)))
    core = model._model
    bits = model.to_bits(rows.drop_columns(["id"])).astype(int)
    circuit = gates_of(json.loads(core.to_bytes())["circuits"][0], core.bit_names)

    def asked(give, which, names):
        answer = sorted(engine.run(rows, core.to_sql(engine.dialect, "rows", ["id"], give, which)), key=lambda row: row["id"])
        assert all(row["refused"] == 0 for row in answer)
        return np.array([[row[name] for name in names] for row in answer])

    tests = list(range(len(core.bit_names)))
    assert (asked("tests", tests, [f"test_{t}" for t in tests]) == bits).all()
    keys = keys_of(circuit, bits)
    names = ["answer", *(f"key_{k}" for k in range(keys.shape[1] - 1))]
    assert (asked("keys", [0], names) == keys).all()
    gates = np.stack(gate_values(circuit, bits), axis=1)
    assert (asked("gates", [0], [f"gate_{g}" for g in range(gates.shape[1])]) == gates).all()
    assert isinstance(core, _macchiato.Model)
