"""Drawings, with matplotlib, which is imported when one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._circuit import Circuit
from ._possible import possible_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Inputs of a Karnaugh map at most: beyond, neighbours are no longer seen.
_KMAP_INPUTS = 6

# Literals of a drawing at most: beyond, nobody can read it.
_DRAWN_LITERALS = 200


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


def plot_stages(model: Any, ax: Axes | None = None) -> Axes:
    """Draw the training rows in error after each stage, from those of the more frequent answer on.

    Parameters
    ----------
    model : MacchiatoClassifier or dict
        A fitted classifier, or one ``trace_``. More than two classes have a line each.
    ax : matplotlib Axes, optional
        Where to draw; by default on a new figure.

    Returns
    -------
    matplotlib Axes
        Where it was drawn.

    Examples
    --------
    >>> from macchiato import MacchiatoClassifier, plot_stages
    >>> rule = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 1, 1, 0] * 5)
    >>> plot_stages(rule).get_xlabel()
    'stage'
    """
    from matplotlib.ticker import MaxNLocator

    traces = model if isinstance(model, dict) else model.trace_
    many = isinstance(traces, list)
    axes = _axes(ax, (5, 3))
    for number, trace in enumerate(traces if many else [traces]):
        stages = trace["stages"]
        # Without a rule, the more frequent answer is given.
        data = trace.get("data", {"rows": 0, "positive": 0})
        majority = min(data["positive"], data["rows"] - data["positive"])
        errors = [majority] + [stage["errors_after"] for stage in stages] if stages else [trace["errors"]]
        axes.plot(range(len(errors)), errors, marker="o", label=str(model.classes_[number]) if many else None)
    axes.set_xlabel("stage")
    axes.set_ylabel("rows in error")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if many:
        axes.legend(title="class")
    return axes


def plot_circuit(circuit: Circuit | Any, ax: Axes | None = None) -> Axes:
    """Draw the gates of a circuit: conditions on the left, then terms, stages and their XOR.

    Parameters
    ----------
    circuit : Circuit or MacchiatoClassifier
        What to draw; of a classifier, its only circuit.
    ax : matplotlib Axes, optional
        Where to draw; by default on a new figure.

    Returns
    -------
    matplotlib Axes
        Where it was drawn.

    Examples
    --------
    >>> from macchiato import Circuit, plot_circuit
    >>> axes = plot_circuit(Circuit(["a", "b"], [[[(0, True)], [(1, True)]]]))
    >>> [text.get_text() for text in axes.texts]
    ['a', 'b', 'OR', 'y']
    """
    circuit = _circuit_of(circuit)
    stages = circuit._core.conditions("unicode")
    if not stages and circuit.support:
        raise ValueError("the circuit has no stages: export(\"svg\") draws its gates")
    leaves = sum(max(len(term), 1) for terms in stages for term in terms)
    if leaves > _DRAWN_LITERALS:
        raise ValueError(f"the circuit has {leaves} literals: a drawing shows at most {_DRAWN_LITERALS}")
    axes = _axes(ax, (7, 1 + 0.35 * max(leaves, 2)))
    axes.set_axis_off()
    below = 0

    def write(x: float, y: float, text: str, box: bool) -> tuple[float, float]:
        style = {"boxstyle": "round", "fc": "white", "ec": "0.4"} if box else None
        # Names are texts: a dollar sign must not begin mathematics.
        axes.text(x, y, text, ha="center" if box else "right", va="center", bbox=style, parse_math=False)
        return x, y

    def gate(x: float, sources: list[tuple[float, float]], text: str) -> tuple[float, float]:
        if len(sources) == 1:
            return sources[0]
        y = float(np.mean([source[1] for source in sources])) if sources else -float(below)
        for source in sources:
            axes.plot([source[0] + 0.05, x], [source[1], y], color="0.6", lw=1, zorder=0)
        return write(x, y, text, True)

    outputs = []
    for terms in stages:
        products = []
        for conditions in terms:
            literals = []
            for condition in conditions or ["1"]:
                literals.append(write(0, -below, condition, False))
                below += 1
            products.append(gate(1, literals, "AND"))
        outputs.append(gate(2, products, "OR" if terms else "0"))
    end = gate(3, outputs, "XOR" if outputs else "0")
    axes.plot([end[0] + 0.05, 3.8], [end[1], end[1]], color="0.6", lw=1, zorder=0)
    axes.text(3.85, end[1], circuit.target, ha="left", va="center", parse_math=False)
    axes.set_xlim(-1.5, 5)
    axes.set_ylim(-max(below, 1), 1)
    return axes


def plot_kmap(circuit: Circuit | Any, ax: Axes | None = None) -> Axes:
    """Draw the Karnaugh map of a circuit that reads at most six inputs; cells that no row of the table can be in have a dash.

    Parameters
    ----------
    circuit : Circuit or MacchiatoClassifier
        What to draw; of a classifier, its only circuit.
    ax : matplotlib Axes, optional
        Where to draw; by default on a new figure.

    Returns
    -------
    matplotlib Axes
        Where it was drawn.

    Examples
    --------
    >>> from macchiato import Circuit, plot_kmap
    >>> axes = plot_kmap(Circuit(["a", "b"], [[[(0, True), (1, True)]]]))
    >>> [text.get_text() for text in axes.texts]
    ['0', '0', '0', '1']
    """
    circuit = _circuit_of(circuit)
    support = circuit.support
    if len(support) > _KMAP_INPUTS:
        raise ValueError(f"the circuit reads {len(support)} inputs: a map shows at most {_KMAP_INPUTS}")
    down, across = support[: len(support) // 2], support[len(support) // 2 :]

    def gray(bits: int) -> list[list[int]]:
        return [[(i ^ i >> 1) >> bit & 1 for bit in reversed(range(bits))] for i in range(1 << bits)]

    rows, columns = gray(len(down)), gray(len(across))
    points = np.zeros((len(rows) * len(columns), len(circuit.inputs)), dtype=bool)
    points[:, down] = np.repeat(rows, len(columns), axis=0)
    points[:, across] = np.tile(columns, (len(rows), 1))
    values = circuit.evaluate(points).reshape(len(rows), len(columns))
    possible = possible_points(circuit._core.model(), support, points).reshape(values.shape)
    axes = _axes(ax, (1.5 + 0.45 * len(columns), 1.2 + 0.45 * len(rows)))
    axes.imshow(np.ma.masked_array(values, ~possible), cmap="Blues", vmin=0, vmax=1.6, aspect="equal")
    axes.set_facecolor("0.85")
    for (row, column), value in np.ndenumerate(values):
        axes.text(column, row, str(int(value)) if possible[row, column] else "–", ha="center", va="center")

    def words(patterns: list[list[int]]) -> list[str]:
        return ["".join(map(str, pattern)) for pattern in patterns]

    axes.set_xticks(range(len(columns)), words(columns), rotation=90 if len(across) > 2 else 0)
    axes.set_yticks(range(len(rows)), words(rows))
    axes.set_xlabel(", ".join(circuit.inputs[i] for i in across), parse_math=False)
    axes.set_ylabel(", ".join(circuit.inputs[i] for i in down), parse_math=False)
    axes.set_title(circuit.target, parse_math=False)
    return axes


def _circuit_of(model: Circuit | Any) -> Circuit:
    circuit = model if isinstance(model, Circuit) else model.circuit_
    if not isinstance(circuit, Circuit):
        raise ValueError("there is a circuit for each class: give one of them")
    return circuit
