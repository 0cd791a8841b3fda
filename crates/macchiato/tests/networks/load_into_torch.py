"""Loads safetensors networks into PyTorch's nn.Sequential by name, and compares every answer with the circuit's.

Reads the same jobs as run_networks.py from standard input. Prints one line a job: `same`, or what differs.
"""

import json
import sys

import numpy as np
import torch
from safetensors.torch import load_file


def points_of(job):
    inputs = job["inputs"]
    if job["points"] is None:
        return ((np.arange(1 << inputs)[:, None] >> np.arange(inputs)) & 1).astype(np.float32)
    packed = np.fromfile(job["points"], dtype=np.uint8).reshape(-1, (inputs + 7) // 8)
    return np.unpackbits(packed, axis=1, count=inputs, bitorder="little").astype(np.float32)


def check(job):
    state = load_file(job["safetensors"])
    modules = []
    for layer in range(len(state) // 2):
        weight = state[f"{2 * layer}.weight"]
        modules += [torch.nn.Linear(weight.shape[1], weight.shape[0]), torch.nn.ReLU()]
    network = torch.nn.Sequential(*(modules[:-1] if job["linear"] else modules))
    network.load_state_dict(state)
    points = points_of(job)
    packed = np.fromfile(job["answers"], dtype=np.uint8).reshape(job["outputs"], -1)
    answers = np.unpackbits(packed, axis=1, count=len(points), bitorder="little").T
    with torch.no_grad():
        values = network(torch.from_numpy(points)).numpy()
    if values.shape != answers.shape:
        return f"torch gives the shape {values.shape}, not {answers.shape}"
    wrong = np.flatnonzero((values != answers).any(axis=1))
    return "same" if len(wrong) == 0 else f"torch differs at {len(wrong)} of {len(points)} points, first {wrong[0]}"


for line in sys.stdin:
    print(check(json.loads(line)), flush=True)
