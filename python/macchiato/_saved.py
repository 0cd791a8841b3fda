"""A classifier as a file, and back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _macchiato
from ._labels import typed_classes
from ._macchiato import ParamError
from ._sql import InTables

if TYPE_CHECKING:
    from typing import Self


class Saved(InTables, BaseEstimator):  # type: ignore[misc]
    """Model files and ONNX files."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file that the ``macchiato`` command reads, and would have written for the same table.

        Parameters
        ----------
        path : path
            The file.
        """
        check_is_fitted(self)
        self._refuse_threshold("a model file gives")
        _macchiato.write_file(path, self._model.to_bytes())

    def to_onnx(self, path: str | os.PathLike[str] | None = None, dtype: str = "float64") -> bytes:
        """Write the classifier as an ONNX file: the table's columns in, `label` and `probabilities` out.

        Its inputs are the columns that some test reads, each of shape (n_rows, 1) under its own name: numbers and Booleans as
        `dtype`, NaN where there is none, and categories as texts, empty where there is none. As in the files of skl2onnx, its
        outputs are ``label``, which is :meth:`predict` (int64, also for Booleans; float64; or texts), and ``probabilities``,
        which is :meth:`predict_proba` in float64, bit for bit. Between the values ``x`` and ``y`` inside stand the layers of
        ``network_``: the certificate covers them, not the tests in front nor the decision behind (``docs/model.md``).

        Parameters
        ----------
        path : path, optional
            Where to write it as well.
        dtype : {"float64", "float32"}, default="float64"
            The element type of numbers and Booleans. Tables that are float32 give the same answers either way.

        Returns
        -------
        bytes
            The file, as ``macchiato compile --raw`` writes it.

        Raises
        ------
        ParamError
            Another `dtype`; costs that differ, as the label is the circuit's.
        RawError
            A category of which the empty text is a level.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> rule = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 0, 0, 1] * 5)
        >>> len(rule.to_onnx()) > len(rule.network_.to_onnx())
        True
        """
        check_is_fitted(self)
        if dtype not in ("float64", "float32"):
            raise ParamError(f"dtype: {dtype!r} is neither 'float64' nor 'float32'")
        self._refuse_threshold("the label of an ONNX file is one of")
        file = self._model.raw_onnx(self.network_._core, dtype == "float32")
        if path is not None:
            _macchiato.write_file(path, file)
        return file

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model file, of :meth:`save` or of ``macchiato fit``.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        MacchiatoClassifier
            Fitted, with the classes of the fit and their type; those of the command are numbers, or Boolean, where all of them are.

        Raises
        ------
        ModelError
            A file that is no model.
        """
        model = _macchiato.Model.from_bytes(Path(path).read_bytes(), str(path))
        estimator = cls()
        method = json.loads(model.to_bytes())["method"]
        names = {"name": "method", "k": "max_inputs", "m": "max_stages", "effort": "effort", "seed": "random_state"}
        names |= {"pick": "pick", "gates": "gates"}
        known = {names[key]: value for key, value in method.items() if key in names}
        if "tau" in method:
            known["tau"] = float(method["tau"])
        estimator.set_params(**known)
        names_in = [name for name, _ in model.columns]
        estimator.n_features_in_ = len(names_in)
        estimator.feature_names_in_ = np.array(names_in, dtype=object)
        estimator.classes_ = typed_classes(model.classes, model.class_type)
        estimator.interrupted_ = False
        estimator._learned(model, ())
        return estimator
