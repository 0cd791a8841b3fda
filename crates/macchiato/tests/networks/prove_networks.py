"""Has z3 prove that ONNX networks equal their circuits, as linear arithmetic over inputs that are 0 or 1.

Reads jobs from standard input, one JSON object a line: {"onnx", "inputs", "on"}; `on` lists for each output the points, as
integers, at which its circuit is 1. Prints one line a job: `unsat` where z3 finds no input on which the two differ, else what it found.
"""

import json
import sys

import numpy as np
import onnx
import z3
from onnx import numpy_helper


def network(path, values):
    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Gemm":
            weights, biases = tensors[node.input[1]], tensors[node.input[2]]
            assert np.all(weights == np.round(weights)) and np.all(biases == np.round(biases))
            values = [
                int(bias) + z3.Sum([int(row[i]) * values[i] for i in np.flatnonzero(row)] + [z3.IntVal(0)])
                for row, bias in zip(weights, biases)
            ]
        elif node.op_type == "Relu":
            values = [z3.If(value > 0, value, 0) for value in values]
        else:
            raise ValueError(node.op_type)
    return values


def prove(job):
    inputs = [z3.Int(f"x{i}") for i in range(job["inputs"])]
    solver = z3.Solver()
    solver.add([z3.Or(x == 0, x == 1) for x in inputs])
    outputs = network(job["onnx"], inputs)
    assert len(outputs) == len(job["on"])
    differences = []
    for output, on in zip(outputs, job["on"]):
        circuit = z3.Or([z3.And([x == (point >> i & 1) for i, x in enumerate(inputs)]) for point in on])
        differences.append(output != z3.If(circuit, 1, 0))
    solver.add(z3.Or(differences))
    return str(solver.check())


for line in sys.stdin:
    print(prove(json.loads(line)), flush=True)
