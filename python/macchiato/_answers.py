"""A table in, answers out: the questions that a fitted classifier is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from ._costs import Costs
from ._macchiato import BinarizeError
from ._tables import Table, is_frame, whole
from ._threads import thread_count


class Answers(Costs):
    """Predictions for the rows of tables."""

    n_jobs: int | None

    def _table(self, X: Any, *, reset: bool, where: str = "") -> Table:
        """The columns of X, whose number and names must be those of the fit."""
        X = whole(X)
        table = Table(X, least_rows=1 if reset else 0, where=where)
        shaped = X if hasattr(X, "shape") else np.empty((table.rows, len(table.names)), dtype=bool)
        try:
            validate_data(self, shaped, reset=reset, skip_check_array=True)
        except ValueError as found:
            error = BinarizeError(str(found).strip())
            if is_frame(X):
                # The first one that is missing, or that is too much.
                known = list(getattr(self, "feature_names_in_", table.names))
                odd = [name for name in known if name not in table.names] + [
                    name for name in table.names if name not in known
                ]
                error.column = odd[0] if odd else None
            raise error from None
        return table

    def _asking(self, X: Any) -> tuple[Table, int]:
        check_is_fitted(self)
        table = self._table(X, reset=False)
        # The columns are those of the fit by their place: scikit-learn has compared the names.
        table.names, table.measures = [name for name, _ in self._model.columns], frozenset(self._measures)
        return table, thread_count(self.n_jobs)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row: the circuit's answer, or where mistakes differ in cost, that of ``decision_threshold_``.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_features)
            The columns, as in the fit.

        Returns
        -------
        ndarray of shape (n_rows,)
            One of ``classes_`` for each row.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> rule = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 0, 0, 1] * 5)
        >>> rule.predict([[1, 1], [1, 0]])
        array([1, 0])
        """
        check_is_fitted(self)
        if self._by_threshold():
            chosen: NDArray[Any] = self.classes_[(self.predict_proba(X)[:, 1] >= self.decision_threshold_).astype(np.intp)]
            return chosen
        table, threads = self._asking(X)
        codes = self._model.predict(table, threads)
        answers: NDArray[Any] = self.classes_[self._places[codes]]
        return answers

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class: its frequency in the training rows that the circuits answer alike.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_features)
            The columns, as in the fit.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``; the greatest one of a row is what :meth:`predict` gives, unless mistakes differ in cost.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> rule = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 0, 0, 1] * 5)
        >>> rule.predict_proba([[1, 1]]).round(1)
        array([[0., 1.]])
        """
        table, threads = self._asking(X)
        found = self._model.predict_proba(table, threads)
        if (self._places == np.arange(len(self._places))).all():
            return found
        ordered = np.empty_like(found)
        ordered[:, self._places] = found
        return ordered

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the logarithm of the probability of each class.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_features)
            The columns, as in the fit.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The natural logarithms of :meth:`predict_proba`; no probability of several classes is 0.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> rule = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 0, 0, 1] * 5)
        >>> rule.predict_log_proba([[1, 1]]).round(2)
        array([[-5.53, -0.  ]])
        """
        return np.asarray(np.log(self.predict_proba(X)))

    def to_bits(self, X: Any) -> NDArray[np.bool_]:
        """Get the tests' answers on each row: the inputs of the circuits and networks.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_features)
            The columns, as in the fit.

        Returns
        -------
        ndarray of bool of shape (n_rows, n_bits)
            A column for each of :meth:`get_feature_names_out`.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> rule = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 0, 0, 1] * 5)
        >>> rule.circuit_.evaluate(rule.to_bits([[1, 1], [1, 0]]))
        array([ True, False])
        """
        table, threads = self._asking(X)
        return self._model.bits(table, threads)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Get the names of the tests that the columns became.

        Parameters
        ----------
        input_features : array-like of str, optional
            If given, must be the names of the columns.

        Returns
        -------
        ndarray of str objects
            ``age > 41.5`` and the like.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> rule = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 0, 0, 1] * 5)
        >>> rule.get_feature_names_out()
        array(['x0', 'x1'], dtype=object)
        """
        check_is_fitted(self)
        names = [name for name, _ in self._model.columns]
        if input_features is not None and list(np.asarray(input_features, dtype=object)) != names:
            raise ValueError(f"input_features is not equal to the names of the columns: {names}")
        return np.array(self._model.bit_names, dtype=object)
