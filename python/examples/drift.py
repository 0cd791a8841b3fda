"""Labels drift after a rule was learned and compiled: fine-tune its network on few new rows, and certify it again.

The rule on duty loses a condition and gets another count. Three ways to follow: retrain from scratch on all new rows, fine-tune
everything, or fine-tune the gates' own thresholds and points on a tenth of the rows and snap. Prints accuracy on fresh rows, rows used,
and gates kept; needs PyTorch.
"""

from __future__ import annotations

import itertools
import random

import torch
from torch import nn

from macchiato import Circuit, check

INPUTS = [f"x{i}" for i in range(8)]
# x0 and x1 and x2, or x3 and not x4, or x5 and x6 and x7.
BEFORE = [[[(0, True), (1, True), (2, True)], [(3, True), (4, False)], [(5, True), (6, True), (7, True)]]]


def old_label(row: tuple[int, ...]) -> bool:
    return all(row[:3]) or (row[3] and not row[4]) or all(row[5:])


def new_label(row: tuple[int, ...]) -> bool:
    """The first term has lost x2; two of the last three are enough."""
    return all(row[:2]) or (row[3] and not row[4]) or sum(row[5:]) >= 2


def draw(generator: random.Random, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    rows = [tuple(generator.randint(0, 1) for _ in INPUTS) for _ in range(count)]
    labels = [[float(new_label(row))] for row in rows]
    return torch.tensor(rows, dtype=torch.float32), torch.tensor(labels)


def train(module: nn.Module, x: torch.Tensor, y: torch.Tensor, steps: int, rate: float) -> None:
    parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
    optimizer = torch.optim.Adam(parameters, lr=rate)
    for _ in range(steps):
        optimizer.zero_grad()
        ((module(x) - y) ** 2).mean().backward()
        optimizer.step()


def accuracy(module: nn.Module, x: torch.Tensor, y: torch.Tensor) -> float:
    with torch.no_grad():
        return float(((module(x) > 0.5) == (y > 0.5)).float().mean())


def main() -> dict[str, float]:
    torch.manual_seed(0)
    generator = random.Random(0)
    x, y = draw(generator, 2000)
    tenth = (x[:200], y[:200])
    test = draw(generator, 4000)
    network = Circuit(INPUTS, BEFORE, target="y").compile()

    scratch = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
    train(scratch, x, y, 600, 0.01)
    free = network.to_torch()
    train(free, *tenth, 300, 0.01)
    kept = network.to_torch(trainable="all", keep="gates", straight_through=True)
    best, state = -1.0, None
    for _ in range(60):
        train(kept, *tenth, 10, 0.05)
        right = accuracy(kept, *tenth)
        if right > best:
            best, state = right, {name: value.clone() for name, value in kept.state_dict().items()}
    kept.load_state_dict(state)
    kept.snap_()
    now = network.recertify(kept)

    results = {
        "scratch": accuracy(scratch, *test),
        "free": accuracy(free, *test),
        "kept": accuracy(kept, *test),
        "before": accuracy(network.to_torch(), *test),
        "changed": len(now.changes),
    }
    print(f"before the drift is followed     {results['before']:.3f}")
    print(f"retrained from scratch           {results['scratch']:.3f}  2000 rows, no gates")
    print(f"everything fine-tuned            {results['free']:.3f}   200 rows, no certificate")
    print(f"gates fine-tuned and snapped     {results['kept']:.3f}   200 rows, {len(now.changes)} of 4 gates changed:")
    for change in now.changes:
        print(f"  {change}")
    assert now.record is not None and check(now.file, now.record)
    assert check(now.network, now.network.certificate())
    points = torch.tensor(list(itertools.product((0.0, 1.0), repeat=8)))
    exact = torch.tensor(now.network.evaluate(points.int().tolist()).tolist())
    assert torch.equal(exact, kept(points).detach()[:, 0])
    return results


if __name__ == "__main__":
    main()
