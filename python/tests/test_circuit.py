"""Circuits, networks, certificates and drawings."""

from __future__ import annotations

import itertools
import os
import pickle
import subprocess
import textwrap

import macchiato
import matplotlib.pyplot as plt
import numpy as np
import onnxruntime
import pytest
import sympy
from macchiato import (
    Circuit,
    CompileError,
    ExportError,
    Gate,
    Literal,
    MacchiatoClassifier,
    Network,
    check,
    plot_circuit,
    plot_kmap,
    plot_stages,
)


def cube(inputs: int) -> np.ndarray:
    return np.array(list(itertools.product([False, True], repeat=inputs))).reshape(-1, inputs)


def drawn(rng: np.random.Generator, inputs: int) -> Circuit:
    """A circuit of random stages."""
    stages = []
    for _ in range(rng.integers(0, 4)):
        literals = [
            [(int(i), bool(rng.integers(2))) for i in rng.permutation(inputs)[: rng.integers(0, inputs + 1)]]
            for _ in range(rng.integers(0, 4))
        ]
        stages.append(literals)
    return Circuit([f"x{i}" for i in range(inputs)], stages)


def brute(circuit: Circuit, x: np.ndarray) -> bool:
    return sum(any(all(x[i] == sign for i, sign in term) for term in terms) for terms in circuit.stages) % 2 == 1


@pytest.mark.parametrize("seed", range(20))
def test_all_say_the_same(seed):
    circuit = drawn(np.random.default_rng(seed), 5)
    points = cube(5)
    expected = np.array([brute(circuit, x) for x in points])
    assert (circuit.evaluate(points) == expected).all()
    gates = {"and_gate": ["two", "narrow"], "or_gate": ["two", "deep"], "xor_gate": ["flat", "triangle", "depth=2"]}
    choice = {name: values[seed % len(values)] for name, values in gates.items()}
    network = circuit.compile(**choice, prune=bool(seed % 2), linear_output=seed % 3 == 0)
    assert (network.evaluate(points) == expected).all()
    for format in ["onnx", "safetensors"]:
        assert check(network, network.certificate(format))
    session = onnxruntime.InferenceSession(network.to_onnx(), providers=["CPUExecutionProvider"])
    (outputs,) = session.run(None, {session.get_inputs()[0].name: points.astype(np.float32)})
    assert (outputs.ravel() == expected).all()
    values = points.astype(np.float32)
    for weights, biases, relu in network.layers():
        values = values @ weights.T + biases
        values = np.maximum(values, 0) if relu else values
    assert (values.ravel() == expected).all()
    expression = circuit.to_sympy()
    symbols = [sympy.Symbol(name) for name in circuit.inputs]
    for x, value in zip(points.tolist(), expected, strict=True):
        assert bool(expression.subs(dict(zip(symbols, x, strict=True)))) == value
    scope: dict[str, object] = {}
    exec(circuit.export("python").decode(), scope)
    assert [bool(scope["predict"](x)) for x in points] == expected.tolist()


@pytest.mark.parametrize("seed", range(10))
def test_several_outputs_say_the_same(seed):
    rng = np.random.default_rng(100 + seed)
    circuits = [Circuit([f"x{i}" for i in range(4)], drawn(rng, 4).stages, target=f"y{at}") for at in range(3)]
    points = cube(4)
    expected = np.stack([circuit.evaluate(points) for circuit in circuits], axis=1)
    xor = ["flat", "triangle", "depth=2"][seed % 3]
    network = Network.compile(circuits, xor_gate=xor, or_gate=["two", "deep"][seed % 2])
    assert network.circuits == circuits and network.widths[-1] == 3
    assert (network.evaluate(points) == expected).all()
    assert network.evaluate(points[:0]).shape == (0, 3)
    for format in ["onnx", "safetensors"]:
        certificate = network.certificate(format)
        assert certificate.startswith("macchiato-certificate 1\n") and check(network, certificate)
    session = onnxruntime.InferenceSession(network.to_onnx(), providers=["CPUExecutionProvider"])
    (outputs,) = session.run(None, {session.get_inputs()[0].name: points.astype(np.float32)})
    assert (outputs == expected).all()
    swapped = Network.compile(circuits[::-1], xor_gate=xor, or_gate=["two", "deep"][seed % 2])
    # Circuits that are the same in either order are the same file.
    assert bool(check(swapped, network.certificate())) == (swapped.to_onnx() == network.to_onnx())


def test_circuits_that_do_not_go_together():
    circuit = Circuit(["a"], [[[(0, True)]]])
    with pytest.raises(CompileError, match="no circuit"):
        Network.compile([])
    with pytest.raises(CompileError, match='outputs "y" and "y" look the same'):
        Network.compile([circuit, circuit])
    with pytest.raises(CompileError, match="other inputs"):
        Network.compile([circuit, Circuit(["b"], [], target="z")])


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="input 3 of 1"):
        Circuit(["a"], [[[(3, True)]]])
    with pytest.raises(ValueError, match="0 and 1"):
        Circuit(["a"], [[[(0, True), (0, False)]]])
    circuit = Circuit(["a", "b"], [[[(0, True)]]])
    with pytest.raises(ValueError, match="row 1, column 0: 2"):
        circuit.evaluate([[0, 1], [2, 0]])
    with pytest.raises(ValueError, match="3 columns"):
        circuit.evaluate([[0, 1, 1]])
    with pytest.raises(ValueError, match="two dimensions"):
        circuit.evaluate([0, 1])
    with pytest.raises(ValueError, match="vhdl"):
        circuit.export("vhdl")
    with pytest.raises(ExportError, match="occurs twice"):
        Circuit(["y"], []).export("blif")
    with pytest.raises(ValueError, match="and_gate"):
        circuit.compile(and_gate="three")
    with pytest.raises(ValueError, match="style"):
        circuit.to_expr("loud")
    with pytest.raises(TypeError, match=r"Circuit\.compile"):
        macchiato.Network()


def test_names_are_escaped():
    names = ["<script>alert(1)</script>", "5% & more_", r"a\b{c}$d$", "größe ^ ~"]
    circuit = Circuit(names, [[[(i, True)] for i in range(4)]], target="<y>")
    page = circuit._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page and "&lt;y&gt;" in page
    formula = circuit._repr_latex_()
    inside = formula.strip("$")
    assert "$" not in inside.replace(r"\$", "") and r"5\%\ \&\ more\_" in inside
    assert inside.count("{") - inside.count(r"\{") == inside.count("}") - inside.count(r"\}")
    assert "0" in Circuit(["a"], [])._repr_html_() and "= 0" in Circuit(["a"], [])._repr_latex_()


def test_notebooks_show_the_first_terms():
    names = [f"x{i}" for i in range(150)]
    many = Circuit(names, [[[(i, True)] for i in range(150)], [[(0, False)]]])
    page = many._repr_html_()
    assert "and 110 more terms" in page and len(page) < 100_000
    assert many._repr_latex_() is None
    assert repr(many) == "<Circuit y: 2 stages, 151 terms, 151 literals>" and "x149" in str(many)
    assert repr(Circuit(["a"], [[[(0, True)]]])) == "<Circuit y = a>"


def test_words_of_the_table():
    ages = np.arange(18, 78)
    frame_rule = MacchiatoClassifier().fit(ages[:, None], (ages > 30) & (ages <= 60))
    assert "x0" in str(frame_rule.circuit_) and ("<" in str(frame_rule.circuit_) or ">" in str(frame_rule.circuit_))
    assert r"\mathrm" in frame_rule.circuit_._repr_latex_()


def test_changed_files_are_rejected(tmp_path):
    network = Circuit(["a", "b"], [[[(0, True)]], [[(1, True)]]]).compile()
    certificate = network.certificate(path=tmp_path / "net.cert")
    network.to_onnx(tmp_path / "net.onnx")
    assert check(tmp_path / "net.onnx", tmp_path / "net.cert").verdict == "accepted"
    assert check(network.to_safetensors(), certificate).verdict == "rejected"
    assert check(network, certificate.replace("gates", "g4tes")).verdict == "unreadable"
    assert check(network, certificate, behaviour=True).verdict == "equal"
    other = Circuit(["a", "b"], [[[(0, True)]], [[(1, False)]]]).compile()
    assert check(other, certificate, behaviour=True).verdict == "differs"


def test_torch_loads_it_exactly():
    python = os.environ.get("MACCHIATO_TORCH_PYTHON")
    if not python:
        pytest.skip("no PyTorch: name a Python that has it and the package in MACCHIATO_TORCH_PYTHON")
    script = """
        import itertools, torch
        from macchiato import Circuit, Network
        circuit = Circuit(["a", "b", "c"], [[[(0, True), (1, False)], [(2, True)]], [[(1, True)]]])
        other = Circuit(["a", "b", "c"], [[[(0, False), (2, True)]]], target="z")
        options = {"and_gate": "narrow", "or_gate": "deep", "linear_output": True}
        for network in [circuit.compile(), circuit.compile(**options), Network.compile([circuit, other])]:
            module = network.to_torch()
            assert isinstance(module, torch.nn.Sequential)
            points = list(itertools.product([0, 1], repeat=3))
            outputs = module(torch.tensor(points, dtype=torch.float32)).tolist()
            expected = network.evaluate(points)
            assert outputs == expected.reshape(len(points), -1).tolist(), outputs
            for (weights, biases, _), linear in zip(network.layers(), module[::2]):
                assert linear.weight.tolist() == weights.tolist() and linear.bias.tolist() == biases.tolist()
            module(torch.ones(1, 3)).sum().backward()
            assert all(parameter.grad is not None for parameter in module.parameters())
    """
    subprocess.run([python, "-c", textwrap.dedent(script)], check=True)


def test_drawings():
    X = np.random.default_rng(0).integers(0, 2, size=(200, 5))
    rule = MacchiatoClassifier(max_inputs=3).fit(X, X[:, 0] ^ X[:, 1] & X[:, 2])
    lines = plot_stages(rule).get_lines()
    assert lines[0].get_ydata()[-1] == 0 and len(lines[0].get_ydata()) == rule.n_stages_ + 1
    assert {"x0", "x1", "x2", "XOR"} <= {text.get_text() for text in plot_circuit(rule).texts}
    table = plot_kmap(rule)
    assert sum(int(text.get_text()) for text in table.texts) == 4
    many = MacchiatoClassifier(effort=1, max_inputs=3).fit(X, X[:, 0] + X[:, 1])
    assert len(plot_stages(many).get_lines()) == 3
    with pytest.raises(ValueError, match="each class"):
        plot_circuit(many)
    figure, axes = plt.subplots()
    dollars = Circuit(["$a_1$", "b"], [[[(0, True), (1, True)]]])
    assert plot_circuit(dollars, ax=axes) is axes
    plot_kmap(dollars, ax=axes)
    figure.canvas.draw()
    plot_circuit(Circuit(["a"], []))
    with pytest.raises(ValueError, match="201 literals"):
        plot_circuit(Circuit(["a"], [[[(0, True)]] * 201]))
    plot_kmap(Circuit(["a"], [[[]]]))
    with pytest.raises(ValueError, match="at most 6"):
        plot_kmap(Circuit(list("abcdefg"), [[[(i, True) for i in range(7)]]]))
    plt.close("all")


def test_gates_of_any_kind():
    literals = [("input", 0, True, 2), ("gate", 0, False, 3), ("input", 2)]
    gates = [("and", [], [("input", 0), ("input", 1, False)]), ("counts", [(3, 5)], literals)]
    circuit = Circuit.from_gates(["a", "b", "c"], gates, ("gate", 1, False), target="t")
    assert circuit.stages == [] and circuit.n_stages == 0 and (circuit.n_terms, circuit.n_literals) == (2, 5)
    assert circuit.gates[1] == Gate("counts", [(3, 5)], [Literal(*literal) for literal in literals])
    assert circuit.output == Literal("gate", 1, False)
    rows = [[x >> i & 1 for i in range(3)] for x in range(8)]
    wanted = []
    for a, b, c in rows:
        count = 2 * a + 3 * (not (a and not b)) + c
        wanted.append(not 3 <= count <= 5)
    assert circuit.evaluate(rows).tolist() == wanted
    assert circuit.compile().evaluate(rows).tolist() == wanted
    assert pickle.loads(pickle.dumps(circuit)) == circuit
    expression = circuit.to_sympy()
    for (a, b, c), value in zip(rows, wanted, strict=True):
        assert bool(expression.subs({"a": bool(a), "b": bool(b), "c": bool(c)})) == value
    assert circuit._repr_latex_() is None and "macchiato" in circuit._repr_html_()
    assert circuit.explain_prediction(rows[0])["answer"] == str(int(wanted[0]))
    with pytest.raises(ValueError, match="no stages"):
        plot_circuit(circuit)
    for bad in [("nor", [], []), ("counts", [], []), ("xor", [], [("input", 0, True, 2)]), ("and", [], [("gate", 0)])]:
        with pytest.raises(ValueError):
            Circuit.from_gates(["a"], [bad], ("gate", 0))
    with pytest.raises(ValueError, match="'input' or 'gate'"):
        Circuit.from_gates(["a"], [], ("output", 0))
