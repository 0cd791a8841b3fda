"""Has z3 answer VNN-LIB questions about ONNX networks.

Reads jobs from standard input, one JSON object a line: {"onnx", "inputs", "vnnlib"}. Prints one line a job: z3's answer.
"""

import json
import sys

import onnx
import z3
from onnx import numpy_helper


def outputs(path, values):
    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Gemm":
            weights, biases = tensors[node.input[1]].tolist(), tensors[node.input[2]].tolist()
            values = [
                z3.Sum([z3.Q(int(w), 1) * v for w, v in zip(row, values) if w] + [z3.Q(int(bias), 1)])
                for row, bias in zip(weights, biases)
            ]
        elif node.op_type == "Relu":
            values = [z3.If(value > 0, value, 0) for value in values]
        else:
            raise ValueError(node.op_type)
    return values


for line in sys.stdin:
    job = json.loads(line)
    solver = z3.Solver()
    solver.from_string(job["vnnlib"])
    inputs = [z3.Real(f"X_{i}") for i in range(job["inputs"])]
    for o, value in enumerate(outputs(job["onnx"], inputs)):
        solver.add(z3.Real(f"Y_{o}") == value)
    print(solver.check(), flush=True)
