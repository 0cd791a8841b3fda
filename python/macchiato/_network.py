"""Exact ReLU networks of circuits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _macchiato
from ._bits import read_bits

if TYPE_CHECKING:
    import torch

    from ._circuit import Circuit
    from ._recertify import Recertified


class Network:
    """A ReLU network that computes circuits exactly: all weights and all sums on 0 and 1 are small integers.

    Networks come from :meth:`Circuit.compile` and :meth:`Network.compile` and are the attribute ``network_`` of a fitted
    classifier.

    Attributes
    ----------
    circuits : list of Circuit
        What it computes: the circuit of each output.
    widths : list of int
        The neurons of each layer.
    largest_partial_sum : int
        No sum on the way is larger on 0 and 1, in any order of summation: below 2**24 every float32 is exact.

    Examples
    --------
    >>> from macchiato import Circuit
    >>> network = Circuit(["a", "b"], [[[(0, True)]], [[(1, True)]]]).compile()
    >>> network
    <Network of 2 inputs, layers of 4, 4, 2, 1 neurons>
    >>> network.evaluate([[0, 1], [1, 1]])
    array([1., 0.], dtype=float32)
    """

    __slots__ = ("_core",)
    _core: _macchiato.Network

    def __init__(self) -> None:
        raise TypeError("a network comes from Circuit.compile or Network.compile")

    @classmethod
    def _of(cls, core: _macchiato.Network) -> Network:
        network = cls.__new__(cls)
        network._core = core
        return network

    @classmethod
    def compile(
        cls,
        circuits: Sequence[Circuit],
        *,
        and_gate: str = "two",
        or_gate: str = "two",
        xor_gate: str = "flat",
        prune: bool = True,
        linear_output: bool = False,
    ) -> Network:
        """Compile circuits over the same inputs into one network, with an output for each.

        Parameters
        ----------
        circuits : sequence of Circuit
            What to compute. They read the same inputs and have different targets.
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
            The network, whose outputs are in the order of the circuits.

        Raises
        ------
        CompileError
            Circuits that do not go into one network.

        Examples
        --------
        >>> from macchiato import Circuit, Network
        >>> both = Circuit(["a", "b"], [[[(0, True), (1, True)]]], target="both")
        >>> either = Circuit(["a", "b"], [[[(0, True)], [(1, True)]]], target="either")
        >>> Network.compile([both, either]).evaluate([[0, 1], [1, 1]])
        array([[0., 1.],
               [1., 1.]], dtype=float32)
        """
        cores = [circuit._core for circuit in circuits]
        return cls._of(_macchiato.Network.compile(cores, and_gate, or_gate, xor_gate, prune, linear_output))

    @property
    def circuits(self) -> list[Circuit]:
        """What it computes: the circuit of each output."""
        from ._circuit import Circuit

        return [Circuit._of(circuit) for circuit in self._core.circuits]

    @property
    def widths(self) -> list[int]:
        """The neurons of each layer."""
        return self._core.widths

    @property
    def largest_partial_sum(self) -> int:
        """No sum on the way is larger on 0 and 1."""
        return self._core.largest_partial_sum

    def layers(self) -> list[tuple[NDArray[np.float32], NDArray[np.float32], bool]]:
        """Get the weights (a row for each neuron), the biases, and whether a ReLU follows, of each layer.

        Returns
        -------
        list of (ndarray, ndarray, bool)
            One for each layer, first to last.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> weights, biases, relu = Circuit(["a"], [[[(0, False)]]]).compile().layers()[0]
        >>> weights, biases, relu
        (array([[-1.],
               [-1.]], dtype=float32), array([1., 0.], dtype=float32), True)
        """
        return self._core.layers()

    def evaluate(self, X: ArrayLike) -> NDArray[np.float32]:
        """Run the network on rows of 0 and 1, in float32.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_inputs)
            0 and 1, or Booleans.

        Returns
        -------
        ndarray of float32 of shape (n_rows,) or (n_rows, n_outputs)
            0 and 1: a number for each row, or where there are several outputs, a row of them.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> Circuit(["a", "b"], [[[(0, True)], [(1, True)]]]).compile().evaluate([[0, 0], [0, 1]])
        array([0., 1.], dtype=float32)
        """
        found = self._core.evaluate(read_bits(X))
        return found[:, 0] if found.shape[1] == 1 else found

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """Write the network as an ONNX file.

        Parameters
        ----------
        path : path, optional
            Where to write it as well.

        Returns
        -------
        bytes
            The file.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> len(Circuit(["a"], [[[(0, True)]]]).compile().to_onnx()) > 0
        True
        """
        return self._file("onnx", path)

    def to_safetensors(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """Write the network as a safetensors file.

        Parameters
        ----------
        path : path, optional
            Where to write it as well.

        Returns
        -------
        bytes
            The file.

        Examples
        --------
        >>> from macchiato import Circuit
        >>> b"F32" in Circuit(["a"], [[[(0, True)]]]).compile().to_safetensors()
        True
        """
        return self._file("safetensors", path)

    def _file(self, format: str, path: str | os.PathLike[str] | None) -> bytes:
        file = self._core.to_bytes(format)
        if path is not None:
            _macchiato.write_file(path, file)
        return file

    def certificate(self, format: str = "onnx", path: str | os.PathLike[str] | None = None) -> str:
        """Write the certificate of the network's file, once the checker has accepted it.

        Parameters
        ----------
        format : {"onnx", "safetensors"}, default="onnx"
            Which file it speaks of.
        path : path, optional
            Where to write it as well.

        Returns
        -------
        str
            The certificate, as `docs/certificate.md` describes it.

        Examples
        --------
        >>> from macchiato import Circuit, check
        >>> network = Circuit(["a", "b"], [[[(0, True), (1, True)]]]).compile()
        >>> bool(check(network, network.certificate()))
        True
        """
        text = self._core.certificate(format)
        if path is not None:
            _macchiato.write_file(path, text.encode())
        return text

    def to_torch(
        self,
        *,
        trainable: str | None = None,
        keep: str | None = None,
        straight_through: bool = False,
    ) -> torch.nn.Module:
        """Convert the network to PyTorch, with exactly these weights, to be fine-tuned.

        Parameters
        ----------
        trainable : {"thresholds", "weights", "all"}, optional
            What training may move; by default everything.
        keep : {"gates", "zeros"}, optional
            With ``"gates"`` the parameters are the gates' own, the points of their literals and their thresholds, and
            ``snap_()`` rounds them, after which every gate is exact again. With ``"zeros"`` weights that are 0 stay 0,
            as :meth:`recertify` needs it. By default nothing is kept.
        straight_through : bool, default=False
            Only with ``keep="gates"``: gates are exact in every step, and gradients pass through their rounding.

        Returns
        -------
        torch.nn.Module
            In float32, from rows of inputs to rows of outputs, of which each circuit has one; ``Linear`` and ``ReLU`` in
            turn unless gates are kept.

        Raises
        ------
        ValueError
            An option that there is not.
        """
        from . import _torch

        if trainable not in (None, *_torch.TRAINABLE):
            raise ValueError(f"trainable={trainable!r}: give one of {', '.join(map(repr, _torch.TRAINABLE))}")
        if keep not in (None, "gates", "zeros"):
            raise ValueError(f"keep={keep!r}: give 'gates' or 'zeros'")
        if keep == "gates":
            return _torch.GateNetwork(self, trainable or "all", straight_through)
        if straight_through:
            raise ValueError("straight_through=True needs keep='gates'")
        return _torch.sequential(self, trainable, keep)

    def recertify(self, tuned: torch.nn.Module | bytes | str | os.PathLike[str]) -> Recertified:
        """Find the circuits that this network computes after its weights were changed, and certify them again.

        Parameters
        ----------
        tuned : torch.nn.Module, bytes or path
            What :meth:`to_torch` gave, after training, or an ONNX file with the same layers. Weights that are 0 in this
            network must be 0 in it.

        Returns
        -------
        Recertified
            What changed, a record for the network as it is where there can be one, and the exact network of the new
            circuits.

        Raises
        ------
        RecertifyError
            Other layers, weights where this network has 0, or gates that read too much to be followed.

        Examples
        --------
        >>> from macchiato import Circuit, check
        >>> network = Circuit(["a", "b"], [[[(0, True), (1, True)]]]).compile()
        >>> now = network.recertify(network.to_onnx())
        >>> now.changes, check(now.file, now.record).verdict
        ([], 'decides')
        """
        from ._recertify import Recertified

        if isinstance(tuned, bytes):
            file = tuned
        elif isinstance(tuned, (str, os.PathLike)):
            file = Path(tuned).read_bytes()
        else:
            from . import _torch

            file = self._core.tuned_onnx(_torch.tuned_layers(tuned))
        changes, no_gates, record, why_not, difference, circuits = self._core.recertify(file)
        snapped = Network._of(_macchiato.Network.compile(circuits, "two", "two", "flat", True, False))
        return Recertified(changes, no_gates, record, why_not, difference, snapped, file)

    def __repr__(self) -> str:
        widths = ", ".join(map(str, self.widths))
        return f"<Network of {self._core.inputs} inputs, layers of {widths} neurons>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Network._of, (self._core,)
