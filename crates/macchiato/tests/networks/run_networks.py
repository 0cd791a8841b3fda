"""Runs compiled networks in onnxruntime and in NumPy, and compares every answer with the circuit's.

Reads jobs from standard input, one JSON object a line: {"onnx", "safetensors", "inputs", "linear", "points", "answers",
"outputs"}.
`points` is a file of packed bits, one row of ceil(inputs / 8) bytes a point, or null for all points of the cube; `answers`
is a file of packed bits, one bit a point, output after output, each filled up to 64 bits. Instead of it there may be `values`, a
file of float32, the outputs of one point after the other. Prints one line a job: `same`, or what differs.
"""

import json
import sys

import numpy as np
import onnx
import onnxruntime
from safetensors.numpy import load_file


def points_of(job):
    inputs = job["inputs"]
    if job["points"] is None:
        return ((np.arange(1 << inputs)[:, None] >> np.arange(inputs)) & 1).astype(np.float32)
    packed = np.fromfile(job["points"], dtype=np.uint8).reshape(-1, (inputs + 7) // 8)
    return np.unpackbits(packed, axis=1, count=inputs, bitorder="little").astype(np.float32)


# Points at a time: the values of a wide layer at a million points are gigabytes.
BATCH = 1 << 14


def numpy_forward(job, tensors, points):
    layers = len(tensors) // 2
    values = points
    for layer in range(layers):
        values = values @ tensors[f"{2 * layer}.weight"].T + tensors[f"{2 * layer}.bias"]
        if layer + 1 < layers or not job["linear"]:
            values = np.maximum(values, 0)
    return values


def answers_of(job, points):
    if "values" in job:
        return np.fromfile(job["values"], dtype=np.float32).reshape(points, job["outputs"])
    packed = np.fromfile(job["answers"], dtype=np.uint8).reshape(job["outputs"], -1)
    return np.unpackbits(packed, axis=1, count=points, bitorder="little").T.astype(np.float32)


def check(job):
    points = points_of(job)
    answers = answers_of(job, len(points))
    onnx.checker.check_model(onnx.load(job["onnx"]), full_check=True)
    session = onnxruntime.InferenceSession(job["onnx"], providers=["CPUExecutionProvider"])
    tensors = load_file(job["safetensors"])
    for begin in range(0, len(points), BATCH):
        some, expected = points[begin : begin + BATCH], answers[begin : begin + BATCH]
        found = {"onnxruntime": session.run(None, {"x": some})[0], "numpy": numpy_forward(job, tensors, some)}
        for name, values in found.items():
            if values.shape != expected.shape:
                return f"{name} gives the shape {values.shape}, not {expected.shape}"
            wrong = np.flatnonzero((values != expected).any(axis=1))
            if len(wrong):
                return f"{name} differs at {len(wrong)} points from {begin} on, first {begin + wrong[0]}: {values[wrong[0]]}"
    return "same"


for line in sys.stdin:
    print(check(json.loads(line)), flush=True)
