"""Circuits: gates that answer by how many of their literals hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _macchiato, _markup
from ._bits import read_bits
from ._circuit_why import ExplainedCircuit
from ._gates import Gate, Literal, to_sympy
from ._network import Network

if TYPE_CHECKING:
    import sympy


class Circuit(ExplainedCircuit):
    """Gates over named inputs: an exclusive or of stages, each of them an OR of ANDs, or anything else (:meth:`from_gates`).

    Circuits come out of :class:`MacchiatoClassifier` and :func:`minimize`, or are written down.

    Parameters
    ----------
    inputs : sequence of str
        The names of the inputs.
    stages : sequence of sequence of sequence of (int, bool)
        For each stage its terms, and for each of them its literals: the number of an input, and whether it must be 1. A
        term without literals is 1, a stage without terms is 0.
    target : str, default="y"
        The name of what is computed.

    Attributes
    ----------
    inputs, target, stages
        As above; no stages where the circuit is no XOR of such.
    gates : list of Gate
        The gates, each after what it reads.
    output : Literal
        The gate or input that is the answer.
    support : list of int
        The numbers of the inputs that some literal reads.
    n_terms, n_literals : int
        The size.

    Examples
    --------
    >>> from macchiato import Circuit
    >>> light = Circuit(["up", "down", "dark"], [[[(0, True)]], [[(1, True), (2, False)]]], target="light")
    >>> print(light)
    light = up ⊕ (down ∧ ¬dark)
    >>> light.evaluate([[1, 0, 0], [1, 1, 0]])
    array([ True, False])
    """

    __slots__ = ("_core",)
    _core: _macchiato.Circuit

    def __init__(self, inputs: Sequence[str], stages: Sequence[Any], target: str = "y") -> None:
        self._core = _macchiato.Circuit(list(inputs), target, stages)

    @classmethod
    def _of(cls, core: _macchiato.Circuit) -> Circuit:
        circuit = cls.__new__(cls)
        circuit._core = core
        return circuit

    @classmethod
    def from_gates(
        cls,
        inputs: Sequence[str],
        gates: Sequence[tuple[str, Sequence[tuple[int, int]], Sequence[tuple[Any, ...]]]],
        output: tuple[Any, ...],
        target: str = "y",
    ) -> Circuit:
        """Write down a circuit of any gates.

        Parameters
        ----------
        inputs : sequence of str
            The names of the inputs.
        gates : sequence of (rule, counts, literals)
            Each after what it reads, as :class:`Gate` has it.
        output : (source, number, positive, points)
            The answer, as :class:`Literal` has it.
        target : str, default="y"
            The name of what is computed.

        Returns
        -------
        Circuit
            The circuit.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> score = ("counts", [(3, 4)], [("input", 0, True, 2), ("input", 1), ("input", 2)])
        >>> print(Circuit.from_gates(["a", "b", "c"], [score], ("gate", 0)))
        y = 2 * a + b + c >= 3
        """
        made = [(rule, list(counts), [Literal(*literal) for literal in literals]) for rule, counts, literals in gates]
        return cls._of(_macchiato.Circuit.from_gates(list(inputs), target, made, Literal(*output)))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Circuit:
        """Read the circuit of a model file, which ``macchiato fit`` writes for a table of nothing but 0 and 1.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        Circuit
            The circuit over the columns of the table.

        Raises
        ------
        ModelError
            A file that is no model. That of a classifier is read by :meth:`MacchiatoClassifier.load`.
        """
        return cls._of(_macchiato.Circuit.from_model(Path(path).read_bytes(), str(path)))

    @property
    def inputs(self) -> list[str]:
        """The names of the inputs."""
        return self._core.inputs

    @property
    def target(self) -> str:
        """The name of what is computed."""
        return self._core.target

    @property
    def stages(self) -> list[list[list[tuple[int, bool]]]]:
        """For each stage its terms, and for each term its literals."""
        return self._core.stages

    @property
    def gates(self) -> list[Gate]:
        """The gates, each after what it reads."""
        return [
            Gate(rule, counts, [Literal(*literal) for literal in literals])
            for rule, counts, literals in self._core.gates
        ]

    @property
    def output(self) -> Literal:
        """The gate or input that is the answer."""
        return Literal(*self._core.output)

    @property
    def support(self) -> list[int]:
        """The numbers of the inputs that some literal reads."""
        return self._core.support

    @property
    def n_stages(self) -> int:
        """Number of stages."""
        return len(self._core.stages)

    @property
    def n_terms(self) -> int:
        """Number of terms over all stages; of gates, where there are no stages."""
        return self._core.n_terms

    @property
    def n_literals(self) -> int:
        """Number of literals over all terms, or over all gates."""
        return self._core.n_literals

    @property
    def n_conditions(self) -> int:
        """Number of conditions that a person reads: literals on inputs, wherever they stand."""
        literals = [*(literal for gate in self.gates for literal in gate.literals), self.output]
        return sum(literal.source == "input" for literal in literals)

    def evaluate(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Compute the circuit.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_inputs)
            0 and 1, or Booleans. For a circuit of a classifier these are the bits that
            :meth:`MacchiatoClassifier.to_bits` makes of a table.

        Returns
        -------
        ndarray of bool of shape (n_rows,)
            The circuit's value on each row.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> Circuit(["a", "b"], [[[(0, True), (1, True)]]]).evaluate([[0, 1], [1, 1]])
        array([False,  True])
        """
        return self._core.evaluate(read_bits(X))

    def to_expr(self, style: str = "unicode") -> str:
        """Write the circuit as a formula.

        Parameters
        ----------
        style : {"unicode", "ascii", "words"}, default="unicode"
            How operators are spelled: ``∧ ∨ ¬ ⊕``, ``& | ! ^`` or ``AND OR NOT XOR``.

        Returns
        -------
        str
            The formula, without the target.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> Circuit(["a", "b"], [[[(0, True), (1, False)]]]).to_expr("words")
        'a AND NOT b'
        """
        return self._core.text(style)

    def to_sympy(self) -> sympy.logic.boolalg.Boolean:
        """Convert the circuit to an expression of SymPy, over symbols with the names of the inputs.

        Returns
        -------
        sympy.logic.boolalg.Boolean
            An expression of the gates.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> Circuit(["a", "b"], [[[(0, True)]], [[(1, True)]]]).to_sympy()
        a ^ b
        """
        return to_sympy(self.inputs, self.gates, self.output)

    def export(self, format: str, path: str | os.PathLike[str] | None = None) -> bytes:
        """Write the circuit for another tool.

        Parameters
        ----------
        format : str
            ``"pla"``, ``"blif"``, ``"aiger"``, ``"verilog"``, ``"smtlib"``, ``"c"``, ``"rust"``, ``"python"``, ``"dot"``,
            ``"svg"``, ``"latex"`` or ``"json"``.
        path : path, optional
            Where to write it as well.

        Returns
        -------
        bytes
            The file.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> print(Circuit(["a", "b"], [[[(0, True), (1, True)]]]).export("pla").decode())
        .i 2
        .o 1
        .ilb a b
        .ob y
        .p 1
        11 1
        .e
        <BLANKLINE>
        """
        file = self._core.export(format)
        if path is not None:
            _macchiato.write_file(path, file)
        return file

    def compile(
        self,
        *,
        and_gate: str = "two",
        or_gate: str = "two",
        xor_gate: str = "flat",
        prune: bool = True,
        linear_output: bool = False,
    ) -> Network:
        """Compile the circuit to a ReLU network that computes exactly the same on 0 and 1.

        Parameters
        ----------
        and_gate : {"two", "narrow"}, default="two"
            The neurons of a product term.
        or_gate : {"two", "deep"}, default="two"
            The neurons of a stage.
        xor_gate : {"flat", "triangle"} or "depth=D", default="flat"
            The neurons of the XOR.
        prune : bool, default=True
            Leave out literals that no term reads.
        linear_output : bool, default=False
            Leave out the last ReLU, which changes nothing on 0 and 1.

        Returns
        -------
        Network
            The network, whose inputs are those of the circuit.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> Circuit(["a", "b"], [[[(0, True)]], [[(1, True)]]]).compile().evaluate([[0, 1], [1, 1]])
        array([1., 0.], dtype=float32)
        """
        return Network.compile(
            [self],
            and_gate=and_gate,
            or_gate=or_gate,
            xor_gate=xor_gate,
            prune=prune,
            linear_output=linear_output,
        )

    def __str__(self) -> str:
        return _markup.shortened(self._core.equation(), f"{self.n_literals} literals in all: to_expr() has them")

    def __repr__(self) -> str:
        if self.n_terms <= _markup.TERMS_SHOWN:
            return f"<Circuit {self}>"
        if not self.n_stages:
            return f"<Circuit {self.target}: {self.n_terms} gates, {self.n_literals} literals>"
        return f"<Circuit {self.target}: {self.n_stages} stages, {self.n_terms} terms, {self.n_literals} literals>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Circuit) and self._core == other._core

    def __hash__(self) -> int:
        return hash(self._core.equation())

    def __reduce__(self) -> tuple[Any, ...]:
        return Circuit._of, (self._core,)

    def _repr_latex_(self) -> str | None:
        # Beyond that, a notebook shows the table, which leaves terms out.
        if self.n_terms > _markup.TERMS_SHOWN or (self.support and not self.n_stages):
            return None
        return _markup.latex(self.target, self._core.conditions("unicode"))

    def _repr_html_(self) -> str:
        return self._core.html()
