"""Algorithm 1 in NumPy and PyEDA, for `lab learn`: the same steps as ours, vectorised.

    algorithm1.py FOLDER B K M lists|slices

Reads `x.npy` (the training points as integers, input i is bit i), `y.npy`, `test_x.npy` and `test_y.npy` from FOLDER.
Prints one JSON object: `seconds` of the fit (reading and testing left out, as with ours), `steps` of them, the first
stage's `inputs`, training `errors` and test `accuracy` after each stage.

The residual is a Boolean table over the cube. The neighbour pairs are kept in one of two ways. `lists`: for each input
the points of P_i, found once, as Appendix D.4 describes; a stage looks up both ends of every pair. `slices`: a mask over
the cube for each input; the two ends of all pairs are two slices of the residual's table, so that a stage looks nothing
up, but always works on all 2^B points, observed or not. Projections are counted with `bincount`. Each stage's cover
comes from `espresso_tts`, and is tabulated over the projected cube once.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
from pyeda.boolalg.bfarray import exprvars, ttvars
from pyeda.boolalg.minimization import espresso_tts
from pyeda.boolalg.table import truthtable


class Lists:
    """The pairs of each input as the points at their two ends."""

    def __init__(self, x, seen, inputs):
        self.ends = []
        for i in range(inputs):
            low = x[(x >> i) & 1 == 0]
            low = low[seen[low | (1 << i)]].astype(np.intp)
            self.ends.append((low, low | (1 << i)))

    def influences(self, residual):
        shares = np.zeros(len(self.ends))
        for i, (low, high) in enumerate(self.ends):
            if len(low):
                shares[i] = np.count_nonzero(residual[low] != residual[high]) / len(low)
        return shares


class Slices:
    """The pairs of each input as a mask over the half of the cube at which it is 0."""

    def __init__(self, _x, seen, inputs):
        self.masks = [np.logical_and(*self.along(seen, i)) for i in range(inputs)]
        self.counts = [np.count_nonzero(mask) for mask in self.masks]

    @staticmethod
    def along(table, i):
        """The halves of a table over the cube at which input i is 0 and 1."""
        halves = table.reshape(-1, 2, 1 << i)
        return halves[:, 0], halves[:, 1]

    def influences(self, residual):
        shares = np.zeros(len(self.masks))
        for i, (mask, count) in enumerate(zip(self.masks, self.counts)):
            if count:
                low, high = self.along(residual, i)
                shares[i] = np.count_nonzero((low ^ high) & mask) / count
        return shares


def project(x, selected):
    """The selected inputs of each point, packed."""
    cells = np.zeros(len(x), dtype=np.int32)
    for p, i in enumerate(selected):
        cells |= ((x >> i) & 1) << p
    return cells


def product_terms(ast):
    """The terms of a DNF's syntax tree, each as a list of literals."""
    kind = ast[0]
    if kind == "const":
        return [[]] if ast[1] else []
    if kind == "or":
        return [term for part in ast[1:] for term in product_terms(part)]
    if kind == "and":
        return [[literal for _, literal in ast[1:]]]
    return [[ast[1]]]


def complete(zeros, ones, k):
    """The cover of a projected majority table, as its values on all cells; constants as the paper treats them."""
    values = np.where(ones > zeros, "1", np.where(zeros > ones, "0", "-"))
    if not (values == "1").any():
        return np.zeros(1 << k, dtype=bool)
    if not (values == "0").any():
        return np.ones(1 << k, dtype=bool)
    (expression,) = espresso_tts(truthtable(ttvars("x", k), "".join(values)))
    number = {variable.uniqid: p for p, variable in enumerate(exprvars("x", k))}
    cells = np.arange(1 << k)
    column = [(cells >> p) & 1 == 1 for p in range(k)]
    cover = np.zeros(1 << k, dtype=bool)
    for term in product_terms(expression.to_ast()):
        product = np.ones(1 << k, dtype=bool)
        for literal in term:
            product &= column[number[abs(literal)]] == (literal > 0)
        cover |= product
    return cover


def fit(x, y, inputs, k, m, ways):
    """The stages, as selected inputs and values over the projected cube, with what they cost."""
    steps = dict.fromkeys(["pairs", "influences", "project", "minimize", "update"], 0.0)
    last = time.perf_counter()

    def lap(step):
        nonlocal last
        now = time.perf_counter()
        steps[step] += now - last
        last = now

    seen = np.zeros(1 << inputs, dtype=bool)
    seen[x] = True
    pairs = ways(x, seen, inputs)
    lap("pairs")
    residual = y.copy()
    table = np.zeros(1 << inputs, dtype=bool)
    stages, errors = [], []
    for _ in range(m):
        if not residual.any():
            break
        table[x] = residual
        shares = pairs.influences(table)
        # A stable sort of the negated shares: ties by increasing index.
        selected = sorted(i for i in np.argsort(-shares, kind="stable")[:k].tolist() if shares[i] > 0)
        lap("influences")
        if not selected:
            break
        cells = project(x, selected)
        votes = np.bincount(2 * cells + residual, minlength=2 << len(selected))
        lap("project")
        cover = complete(votes[0::2], votes[1::2], len(selected))
        lap("minimize")
        residual ^= cover[cells]
        lap("update")
        stages.append((selected, cover))
        errors.append(int(np.count_nonzero(residual)))
    return stages, errors, steps


def main():
    folder = Path(sys.argv[1])
    inputs, k, m = map(int, sys.argv[2:5])
    ways = {"lists": Lists, "slices": Slices}[sys.argv[5]]
    x, y, test_x, test_y = (np.load(folder / f"{name}.npy") for name in ["x", "y", "test_x", "test_y"])
    x, test_x = x.astype(np.int32), test_x.astype(np.int32)
    y, test_y = y.astype(bool), test_y.astype(bool)
    begin = time.perf_counter()
    stages, errors, steps = fit(x, y, inputs, k, m, ways)
    seconds = time.perf_counter() - begin
    answers, accuracy = np.zeros(len(test_x), dtype=bool), []
    for selected, cover in stages:
        answers ^= cover[project(test_x, selected)]
        accuracy.append(float(np.mean(answers == test_y)))
    report = {
        "seconds": seconds,
        "steps": steps,
        "inputs": stages[0][0] if stages else [],
        "errors": errors,
        "accuracy": accuracy,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
