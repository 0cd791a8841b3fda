"""Runs networks that start from a table in onnxruntime, and compares every answer with the circuits'.

Reads jobs from standard input, one JSON object a line: {"raw", "network", "columns", "outputs"}. `columns` has the cells of each
column, null where one is missing; `outputs` for each row the values of the circuits. The layers of the file `raw` must be those of
the certified file `network`. Prints one line a job: `same`, or what differs.
"""

import json
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper


def same_layers(job):
    raw, network = onnx.load(job["raw"]).graph, onnx.load(job["network"]).graph
    nodes, tensors = len(network.node), len(network.initializer)
    if [n.op_type for n in raw.node][-nodes:] != [n.op_type for n in network.node]:
        return False
    pairs = zip(list(raw.initializer)[-tensors:], network.initializer)
    return all(np.array_equal(numpy_helper.to_array(a), numpy_helper.to_array(b)) for a, b in pairs)


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
    found = session.run(None, feeds)[0]
    wanted = np.array(job["outputs"], dtype=np.float32)
    if found.shape != wanted.shape:
        return f"onnxruntime gives the shape {found.shape}, not {wanted.shape}"
    wrong = np.flatnonzero((found != wanted).any(axis=1))
    if len(wrong):
        return f"onnxruntime differs at {len(wrong)} of {len(wanted)} rows, first {wrong[0]}: {found[wrong[0]]}"
    return "same"


for line in sys.stdin:
    print(check(json.loads(line)), flush=True)
