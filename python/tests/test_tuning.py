"""Networks after training: what they compute, what is certified of it, and the modules of PyTorch that keep gates."""

from __future__ import annotations

import os
import subprocess
import textwrap
from pathlib import Path

import numpy as np
import pytest

from macchiato import Circuit, Network, RecertifyError, check

EXAMPLES = Path(__file__).parent.parent / "examples"


def moved(network, change):
    """Give the ONNX file of the network with its layers changed by a function of their number."""
    layers = []
    for number, (weights, biases, _) in enumerate(network.layers()):
        weights, biases = change(number, weights.copy(), biases.copy())
        layers.append((weights.ravel().tolist(), biases.tolist()))
    return network._core.tuned_onnx(layers)


def test_what_training_changed_is_said():
    circuit = Circuit(["a", "b", "c"], [[[(0, True), (1, True)], [(2, True), (0, False)]]])
    network = circuit.compile()

    def change(number, weights, biases):
        if number == 0:
            # The first term stops asking for b.
            weights[:2, 1] = 0.0
            biases[:2] += 1.0
        return weights * np.float32(1.001), biases

    now = network.recertify(moved(network, change))
    assert now.changes == ["term 1 of stage 1 lost `b`"] or now.changes == ["term 1 lost `b`"], now.changes
    assert now.no_gates == [] and 0 < now.largest_difference < 0.1
    assert check(now.file, now.record).verdict == "decides"
    assert check(now.network, now.network.certificate()).verdict == "accepted"
    assert now.network.evaluate([[1, 0, 0], [0, 1, 0]]).tolist() == [1.0, 0.0]
    assert check(network, now.record).verdict == "rejected"


def test_several_outputs_and_other_layers():
    one = Circuit(["a", "b"], [[[(0, True), (1, True)]]], target="y")
    two = Circuit(["a", "b"], [[[(0, True)], [(1, True)]]], target="z")
    network = Network.compile([one, two])
    now = network.recertify(network.to_onnx())
    assert now.changes == [] and now.largest_difference == 0.0
    assert [circuit.target for circuit in now.network.circuits] == ["y", "z"]
    with pytest.raises(RecertifyError, match="1 columns, not 2"):
        network.recertify(one.compile().to_onnx())
    with pytest.raises(RecertifyError, match="2 layers of weights|layers of weights"):
        network._core.tuned_onnx([])


def in_torch(script, *arguments):
    python = os.environ.get("MACCHIATO_TORCH_PYTHON")
    if not python:
        pytest.skip("no PyTorch: name a Python that has it and the package in MACCHIATO_TORCH_PYTHON")
    subprocess.run([python, "-c", textwrap.dedent(script), *arguments], check=True)


def test_gates_are_kept():
    in_torch("""
        import itertools, torch
        from macchiato import Circuit
        circuit = Circuit(["a", "b", "c"], [[[(0, True), (1, False)], [(2, True)]], [[(1, True), (2, True)]]])
        points = torch.tensor(list(itertools.product([0.0, 1.0], repeat=3)))
        for options in [{}, {"or_gate": "deep"}, {"and_gate": "narrow"}, {"prune": False}]:
            network = circuit.compile(**options)
            plain = network.to_torch()(points)
            for through in [False, True]:
                module = network.to_torch(trainable="all", keep="gates", straight_through=through)
                assert torch.equal(module(points), plain), options
                optimizer = torch.optim.SGD(module.parameters(), lr=0.01)
                module(points).sum().backward()
                optimizer.step()
                zeros = [w == 0 for w, _, _ in network.layers()]
                for zero, (weights, _) in zip(zeros, module.tuned_layers()):
                    assert all(w == 0 for z, w in zip(zero.ravel().tolist(), weights) if z)
                module.snap_()
                assert network.recertify(module).record is not None
            masked = network.to_torch(trainable="all", keep="zeros")
            optimizer = torch.optim.Adam(masked.parameters(), lr=0.001)
            masked(points).sum().backward()
            optimizer.step()
            now = network.recertify(masked)
            assert now.changes == [] and now.record is not None, now
        for wrong in [{"trainable": "biases"}, {"keep": "all"}, {"straight_through": True}]:
            try:
                network.to_torch(**wrong)
            except ValueError:
                continue
            raise AssertionError(wrong)
    """)


def test_the_drift_is_followed_on_a_tenth_of_the_rows():
    in_torch(
        """
        import runpy, sys
        results = runpy.run_path(sys.argv[1])["main"]()
        assert results["kept"] >= results["scratch"] - 0.01, results
        assert results["changed"] == 2 and results["before"] < 0.95, results
        """,
        str(EXAMPLES / "drift.py"),
    )


def test_a_certified_part_behind_an_encoder():
    in_torch(
        """
        import runpy, sys
        assert runpy.run_path(sys.argv[1])["main"]()["accuracy"] > 0.9
        """,
        str(EXAMPLES / "encoder.py"),
    )
