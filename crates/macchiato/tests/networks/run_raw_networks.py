"""Runs classifiers that read a table in onnxruntime, and compares every answer with the model's, bit for bit.

Reads jobs from standard input, one JSON object a line: {"raw", "network", "columns", "labels", "probabilities"}. `columns` has the cells of
each column, null where one is missing; `labels` and `probabilities` what the model says of each row. The layers of the file `raw` between
`x` and `y` must be those of the certified file `network`. Prints one line a job: `same`, or what differs.
"""

import json
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper


def same_layers(job):
    raw, network = onnx.load(job["raw"]).graph, onnx.load(job["network"]).graph
    first = next(i for i, node in enumerate(raw.node) if node.op_type == "Gemm")
    layers = raw.node[first : first + len(network.node)]
    if [node.op_type for node in layers] != [node.op_type for node in network.node]:
        return False
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in raw.initializer}
    certified = {tensor.name: numpy_helper.to_array(tensor) for tensor in network.initializer}
    pairs = [
        (tensors[a], certified[b])
        for ours, theirs in zip(layers, network.node)
        for a, b in zip(ours.input[1:], theirs.input[1:])
    ]
    return len(pairs) == len(certified) and all(np.array_equal(a, b) for a, b in pairs)


def check(job):
    onnx.checker.check_model(onnx.load(job["raw"]), full_check=True)
    if not same_layers(job):
        return "the layers differ"
    session = onnxruntime.InferenceSession(job["raw"], providers=["CPUExecutionProvider"])
    feeds = {}
    for value in session.get_inputs():
        cells = job["columns"][value.name]
        if value.type == "tensor(string)":
            feeds[value.name] = np.array([["" if cell is None else cell] for cell in cells], dtype=object)
        else:
            assert value.type == "tensor(double)", value.type
            feeds[value.name] = np.array([[np.nan if cell is None else cell] for cell in cells], dtype=np.float64)
    labels, found = session.run(["label", "probabilities"], feeds)
    if labels.tolist() != job["labels"]:
        return "the labels differ"
    wanted = np.array(job["probabilities"])
    if found.shape != wanted.shape:
        return f"onnxruntime gives the shape {found.shape}, not {wanted.shape}"
    wrong = np.flatnonzero((found != wanted).any(axis=1))
    if len(wrong):
        return f"onnxruntime differs at {len(wrong)} of {len(wanted)} rows, first {wrong[0]}: {found[wrong[0]]}"
    return "same"


for line in sys.stdin:
    print(check(json.loads(line)), flush=True)
