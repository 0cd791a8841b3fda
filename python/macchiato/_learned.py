"""What a fit leaves behind: the attributes of a classifier."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import copy
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _macchiato
from ._circuit import Circuit
from ._labels import class_texts
from ._macchiato import ParamError
from ._network import Network


_Estimator = TypeVar("_Estimator", bound="Learned")


class Learned:
    """A model, and what is made of it when it is asked for."""

    classes_: NDArray[Any]
    _model: _macchiato.Model
    # Numeric columns that the model reads as Boolean.
    _measures: list[str]
    # Where each class of the model stands in `classes_`.
    _places: NDArray[np.int64]
    _made: dict[str, Any]
    path_: list[Any]
    # Of the training rows, where they are known.
    _importances: NDArray[np.float64]

    def _learned(self, model: _macchiato.Model, numeric: Sequence[str]) -> None:
        self._model = model
        kinds = dict(model.columns)
        self._measures = [name for name in numeric if kinds.get(name) == "boolean"]
        # The library orders classes by their numbers, also where they are texts.
        places = {text: place for place, text in enumerate(class_texts(self.classes_))}
        self._places = np.array([places[text] for text in model.classes])
        self._made = {}
        # Those of another circuit.
        vars(self).pop("_importances", None)
        keys = ("conditions", "right", "found", "nats")
        paths = [[dict(zip(keys, size)) for size in sizes] for sizes in model.sizes]
        self.path_ = self._one_or_all(paths) if paths else []

    def at(self: _Estimator, size: int) -> _Estimator:
        """The same estimator with the best circuits of at most ``size`` conditions each that the fit found.

        Parameters
        ----------
        size : int
            Conditions that a circuit may have; where all found are longer, the shortest is taken.

        Returns
        -------
        MacchiatoClassifier
            A fitted copy. It is as if the fit had picked these; nothing is learned again.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from macchiato import MacchiatoClassifier
        >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
        >>> cancer = MacchiatoClassifier(pick="best").fit(X, y)
        >>> print(cancer.at(1).circuit_)
        target = 1 if worst perimeter <= 105.95
        """
        check_is_fitted(self)
        if isinstance(size, bool) or not isinstance(size, Integral) or size < 0:
            raise ParamError(f"size must be a whole number of conditions, 0 or more, not {size!r}")
        small = copy(self)
        small._learned(self._model.at(int(size)), self._measures)
        return small

    def _is_fitted(self) -> bool:
        return "_model" in vars(self)

    def __sklearn_is_fitted__(self) -> bool:
        return self._is_fitted()

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        """What `make` gives, once."""
        if not self._is_fitted():
            # What a class without the attribute would raise: so `hasattr` says that it is not fitted.
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r} before it is fitted")
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def _one_or_all(self, items: list[Any]) -> Any:
        """That of the one circuit, or for more than two classes all of them, in the order of ``classes_``."""
        return [items[at] for at in np.argsort(self._places)] if len(self.classes_) > 2 else items[0]

    def _circuits(self) -> list[Circuit]:
        if self._model.learned:
            return [Circuit._of(self._model.circuit(number)) for number in range(len(self._model.learned))]
        # A single class: 1 everywhere.
        return [Circuit(self._model.bit_names, [[[]]], f"{self._model.target} = {self._model.classes[0]}")]

    @property
    def circuit_(self) -> Any:
        """The formula, or one for each class."""
        return self._once("circuit_", lambda: self._one_or_all(self._circuits()))

    @property
    def network_(self) -> Network:
        """The network, with an output for each circuit."""
        network: Network = self._once("network_", lambda: Network.compile(self._circuits()))
        return network

    @property
    def certificate_(self) -> str:
        """The certificate of the network's ONNX file."""
        certificate: str = self._once("certificate_", lambda: self.network_.certificate())
        return certificate

    @property
    def trace_(self) -> Any:
        """What the fit saw and did, or a list of that for each class."""

        def traces() -> list[dict[str, Any]]:
            return [circuit["trace"] for circuit in json.loads(self._model.to_bytes())["circuits"]]

        # A single class has nothing to learn.
        return self._once("trace_", lambda: self._one_or_all(traces() or [{"stages": [], "errors": 0}]))

    @property
    def support_(self) -> NDArray[np.int64]:
        """The numbers of the columns that some circuit reads."""

        def support() -> NDArray[np.int64]:
            columns = self._model.bit_columns
            read = {columns[bit] for circuit in self._circuits() for bit in circuit.support}
            return np.array(sorted(read), dtype=np.int64)

        found: NDArray[np.int64] = self._once("support_", support)
        return found

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """For each column, how much the answers on the training rows depend on it."""
        if self._is_fitted() and "_importances" not in vars(self):
            raise AttributeError("feature_importances_ is counted by fit on its rows, for its circuit alone: explain(X) counts on any rows")
        importances: NDArray[np.float64] = self._once("feature_importances_", lambda: self._importances)
        return importances

    @property
    def n_stages_(self) -> int:
        """Number of stages over all circuits."""

        def stages() -> int:
            # The constant of a single class is no stage that was learned.
            return sum(circuit.n_stages for circuit in self._circuits()) if self._model.learned else 0

        number: int = self._once("n_stages_", stages)
        return number
