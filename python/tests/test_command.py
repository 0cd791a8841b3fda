"""The command and the package: the same table gives the same file, and the checker takes what Python writes."""

from __future__ import annotations

import subprocess

import numpy as np
import pandas as pd
import pytest
from macchiato import Circuit, MacchiatoClassifier, ModelError


def run(*arguments: object) -> str:
    return subprocess.run(list(map(str, arguments)), check=True, capture_output=True, text=True).stdout


@pytest.mark.filterwarnings("ignore::macchiato.NoRuleWarning")
@pytest.mark.parametrize("target", ["income", "smoker", "job"])
def test_the_same_bytes(command, people, tmp_path, target):
    people = people.dropna(subset=[target])
    people.insert(len(people.columns) - 1, target, people.pop(target))
    people.to_csv(tmp_path / "people.csv", index=False)
    run(command, "fit", tmp_path / "people.csv", "--target", target, "--quiet", "--out", tmp_path / "command.json")
    read = pd.read_csv(tmp_path / "people.csv")
    rule = MacchiatoClassifier().fit(read.drop(columns=target), read[target])
    rule.save(tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "command.json").read_bytes()

    again = MacchiatoClassifier.load(tmp_path / "command.json")
    assert (again.predict(read.drop(columns=target)) == rule.predict(read.drop(columns=target))).all()
    answers = run(command, "predict", tmp_path / "python.json", tmp_path / "people.csv").split()
    assert answers == rule.predict(read.drop(columns=target)).astype(str).tolist()


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        (["--method", "paper", "-k", 4], {"method": "paper", "max_inputs": 4}),
        (["-k", 3, "-m", 5, "--seed", 9], {"max_inputs": 3, "max_stages": 5, "random_state": 9}),
        (["--effort", 2, "--binarize", "quantile"], {"effort": 2, "binarize": "quantile"}),
        (["--binarize", "evidence"], {"binarize": "evidence"}),
        (["--effort", 1, "--class-weight", "balanced"], {"effort": 1, "class_weight": "balanced"}),
    ],
    ids=str,
)
def test_the_same_parameters(command, people, tmp_path, options, parameters):
    people.to_csv(tmp_path / "people.csv", index=False)
    run(command, "fit", tmp_path / "people.csv", "--quiet", *options, "--out", tmp_path / "command.json")
    read = pd.read_csv(tmp_path / "people.csv")
    rule = MacchiatoClassifier(**parameters).fit(read.drop(columns="income"), read["income"])
    assert rule._model.to_bytes() == (tmp_path / "command.json").read_bytes()
    known = MacchiatoClassifier.load(tmp_path / "command.json").get_params()
    # What the rows were told apart by is in the model; how they were weighted and cut is not.
    for name in ("binarize", "random_state", "class_weight"):
        del known[name]
    assert known == {name: value for name, value in rule.get_params().items() if name in known}


@pytest.mark.parametrize("classes", [2, 3])
def test_the_same_bytes_of_a_table_of_bits(command, tmp_path, classes):
    X = np.random.default_rng(0).integers(0, 2, size=(200, 6))
    light = X[:, 0] ^ X[:, 1] & X[:, 2] if classes == 2 else X[:, 0] + X[:, 1]
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(light=light)
    frame.to_csv(tmp_path / "bits.csv", index=False)
    run(command, "fit", tmp_path / "bits.csv", "--quiet", "--out", tmp_path / "command.json")
    rule = MacchiatoClassifier().fit(frame.drop(columns="light"), frame["light"])
    assert rule._model.to_bytes() == (tmp_path / "command.json").read_bytes()


def test_the_same_bytes_of_weighted_rows(command, people, tmp_path):
    people["w"] = np.random.default_rng(3).integers(0, 4, len(people)) / 2
    people.to_csv(tmp_path / "people.csv", index=False)
    options = ["--target", "income", "--weight", "w", "--effort", 1, "--out", tmp_path / "command.json"]
    run(command, "fit", tmp_path / "people.csv", "--quiet", *options)
    X, y = people.drop(columns=["income", "w"]), people["income"]
    rule = MacchiatoClassifier(effort=1).fit(X, y, sample_weight=people["w"])
    assert rule._model.to_bytes() == (tmp_path / "command.json").read_bytes()


def test_circuits_of_bits_are_read(command, tmp_path):
    X = np.random.default_rng(0).integers(0, 2, size=(200, 6))
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(light=X[:, 0] ^ X[:, 1] & X[:, 2])
    frame.to_csv(tmp_path / "bits.csv", index=False)
    run(command, "fit", tmp_path / "bits.csv", "--quiet", "--out", tmp_path / "model.json")
    circuit = Circuit.load(tmp_path / "model.json")
    assert (circuit.inputs, circuit.target) == (list("abcdef"), "light")
    assert (circuit.evaluate(X) == frame["light"]).all()
    run(command, "compile", tmp_path / "model.json", "--quiet", "--out", tmp_path / "net.onnx")
    assert circuit.compile().to_onnx() == (tmp_path / "net.onnx").read_bytes()
    assert (MacchiatoClassifier.load(tmp_path / "model.json").predict(frame[list("abcdef")]) == frame["light"]).all()
    many = frame.assign(light=X[:, 0] + X[:, 1])
    many.to_csv(tmp_path / "many.csv", index=False)
    run(command, "fit", tmp_path / "many.csv", "--quiet", "--out", tmp_path / "many.json")
    with pytest.raises(ValueError, match=r"MacchiatoClassifier\.load"):
        Circuit.load(tmp_path / "many.json")


@pytest.mark.parametrize("target", ["income", "job"])
def test_the_checker_takes_what_python_writes(checker, people, tmp_path, target):
    people = people.dropna(subset=[target])
    rule = MacchiatoClassifier(effort=1).fit(people.drop(columns=target), people[target])
    for format in ["onnx", "safetensors"]:
        network, certificate = tmp_path / f"net.{format}", tmp_path / f"{format}.cert"
        rule.network_.to_onnx(network) if format == "onnx" else rule.network_.to_safetensors(network)
        rule.network_.certificate(format, certificate)
        assert run(checker, network, certificate).startswith("accepted")
        network.write_bytes(network.read_bytes() + b"!")
        assert subprocess.run([checker, network, certificate], capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize("target", ["income", "job"])
def test_the_command_compiles_the_same_networks(command, people, tmp_path, target):
    people = people.dropna(subset=[target])
    rule = MacchiatoClassifier(effort=1).fit(people.drop(columns=target), people[target])
    rule.save(tmp_path / "model.json")
    files = ["--out", "net.onnx", "--certificate", "net.cert", "--raw", "table.onnx"]
    subprocess.run([command, "compile", "model.json", "--quiet", *files], cwd=tmp_path, check=True)
    assert (tmp_path / "net.onnx").read_bytes() == rule.network_.to_onnx()
    assert (tmp_path / "net.cert").read_text() == rule.certificate_
    assert (tmp_path / "table.onnx").read_bytes() == rule.to_onnx()


def test_other_files_are_refused(tmp_path):
    (tmp_path / "model.json").write_text('{"format": "macchiato-model", "version": 77}')
    with pytest.raises(ModelError, match=r"model\.json"):
        MacchiatoClassifier.load(tmp_path / "model.json")
    with pytest.raises(ModelError, match=r"model\.json"):
        Circuit.load(tmp_path / "model.json")
