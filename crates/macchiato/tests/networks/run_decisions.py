"""Runs ONNX networks of any weights in onnxruntime and compares their decisions at 1/2 with lists of points.

Reads jobs from standard input, one JSON object a line: {"onnx", "inputs", "on", "seed"}; `on` lists for each output the points, as
integers, at which it must be above 1/2. Each network is run as it is, with its input columns in another order, and with zeros in
between: columns and neurons that nothing depends on, so that sums are taken in other orders. Prints `same` or where it differs.
"""

import json
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper


def answers(model, points):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"x": points})[0]


def changed(model, orders):
    """The network with the values of each layer at these places, -1 for a zero."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    depth = len(orders)
    for layer, order in enumerate(orders, 1):
        weights = numpy_helper.to_array(tensors[f"W{layer}"])
        biases = numpy_helper.to_array(tensors[f"b{layer}"])
        weights = np.hstack([weights, np.zeros((len(weights), 1), np.float32)])[:, order]
        if layer < depth:
            rows = orders[layer]
            weights = np.vstack([weights, np.zeros((1, weights.shape[1]), np.float32)])[rows]
            biases = np.append(biases, np.float32(0))[rows]
        tensors[f"W{layer}"].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(weights), f"W{layer}"))
        tensors[f"b{layer}"].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(biases), f"b{layer}"))
    model.graph.input[0].type.tensor_type.shape.dim[1].dim_value = len(orders[0])
    return model


def compare(job):
    model = onnx.load(job["onnx"])
    count = job["inputs"]
    points = (np.arange(1 << count)[:, None] >> np.arange(count) & 1).astype(np.float32)
    wanted = np.zeros((1 << count, len(job["on"])), bool)
    for output, on in enumerate(job["on"]):
        wanted[on, output] = True
    rng = np.random.default_rng(job["seed"])
    widths = [numpy_helper.to_array(t).shape[1] for t in model.graph.initializer if t.name.startswith("W")]
    for zeros in (0, 0, 7):
        orders = [rng.permutation(np.append(np.arange(width), np.full(zeros, -1))) for width in widths]
        moved = np.hstack([points, np.zeros((len(points), 1), np.float32)])[:, orders[0]]
        if not np.array_equal(answers(changed(model, orders), np.ascontiguousarray(moved)) > 0.5, wanted):
            return f"differs with {zeros} zeros between"
    if not np.array_equal(answers(model, points) > 0.5, wanted):
        return "differs as it is"
    return "same"


for line in sys.stdin:
    print(compare(json.loads(line)), flush=True)
