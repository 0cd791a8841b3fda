"""The estimator."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from . import _macchiato
from ._bounds import error_bound
from ._cells import spelled
from ._circuit import Circuit
from ._explanation import Explanation
from ._labels import class_texts, read_target, read_weights, target_name
from ._macchiato import BinarizeError, ClassifierError, MacchiatoError, ModelError, ParamError, RowsError
from ._network import Network
from ._tables import Table, is_frame, placed, whole
from ._threads import InterruptedWarning, thread_count

_METHODS = ("auto", "paper")
_CUTS = ("auto", "evidence", "quantile")

# Cuts of a column with `binarize="quantile"`, as in the command.
_QUANTILES = 16


class SingleClassWarning(UserWarning):
    """The target has one class only: it is always the answer."""


class MacchiatoClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that is a short Boolean formula over tests such as ``age > 41.5``.

    It takes tables as they are: numbers, Booleans, texts and categories, with gaps. Columns become tests, learned from the
    training rows, and a circuit over them is chosen by evidence. The circuit compiles to an exact ReLU network with a
    certificate. Two classes have one circuit, more have one each.

    Parameters
    ----------
    method : {"auto", "paper"}, default="auto"
        How to learn: stages chosen by evidence, or Algorithm 1 of the paper.
    max_inputs : int or None, default=None
        The most tests that a stage reads; None is as many as the data ask for, and 6 with ``method="paper"``.
    max_stages : int, default=20
        The most stages of a circuit.
    tau : float, default=0.0
        Of ``method="paper"``: only tests whose influence is above this are chosen, from 0 to below 1.
    effort : int, default=5
        Of ``method="auto"``: how much to try, from 1 (quick) to 9 (thorough).
    random_state : int, RandomState instance or None, default=None
        The seed of every random choice. None is the seed 0: the same rows give the same model.
    n_jobs : int or None, default=None
        Threads. None is one for each core, or what ``OMP_NUM_THREADS`` says; -1 is all cores. It does not change the model.
    verbose : int, default=0
        Above 0, says what is being tried.
    binarize : {"auto", "evidence", "quantile"} or int, default="auto"
        Where numbers are cut: both by evidence and at quantiles, by evidence alone, or at quantiles alone, of which a number
        says how many.
    time_limit : float or None, default=None
        Seconds, after which the best model so far stands.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `X` has names that are all texts.
    circuit_ : Circuit or list of Circuit
        The formula: 1 where it predicts the last class, or with more than two classes, one for each of ``classes_``.
    network_ : Network
        The exact ReLU network of the circuits, made when it is asked for. Its inputs are the bits of :meth:`to_bits`; it has
        an output for each circuit, in the order of its attribute ``circuits``. Where not exactly one of several outputs is
        1, :meth:`predict` decides by the training rows.
    certificate_ : str
        The certificate of the network's ONNX file, made and checked when it is asked for. It covers what follows from the
        bits, not how the table becomes them.
    trace_ : dict or list of dict
        What the fit saw and did, stage by stage, as in the model file (``docs/model.md``).
    support_ : ndarray of int
        The numbers of the columns that some circuit reads.
    n_stages_ : int
        Number of stages over all circuits.
    interrupted_ : bool
        Whether Ctrl-C ended the fit early.

    See Also
    --------
    minimize : Formulas from rows without noise.
    sklearn.tree.DecisionTreeClassifier : Rules that split the rows one test at a time.

    Notes
    -----
    Ctrl-C ends a fit within about a second. The best model so far is kept and an :class:`InterruptedWarning` is shown, as
    in scikit-learn's ``MLPClassifier``; a second Ctrl-C before that raises ``KeyboardInterrupt`` instead and learns
    nothing. In a search such as ``GridSearchCV`` one Ctrl-C ends the fit under way, two end the search.

    Columns of texts that are all ``yes`` or ``no``, ``true`` or ``false``, or the like are Boolean, and so are numbers that
    are all 0 or 1; texts such as ``?`` and ``NA`` are gaps. These are the rules of the ``macchiato`` command, which learns
    the same model from the same table (with ``--binarize auto`` also where all columns are Boolean).

    Examples
    --------
    >>> import numpy as np
    >>> from macchiato import MacchiatoClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, size=(200, 5))
    >>> y = X[:, 0] ^ X[:, 1] & X[:, 2]
    >>> rule = MacchiatoClassifier().fit(X, y)
    >>> print(rule.circuit_)
    y = 1 if x0 ⊕ (x1 ∧ x2)
    >>> rule.predict([[1, 1, 1, 0, 0], [1, 0, 1, 0, 0]])
    array([0, 1])
    """

    def __init__(
        self,
        method: str = "auto",
        max_inputs: int | None = None,
        max_stages: int = 20,
        tau: float = 0.0,
        effort: int = 5,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        binarize: str | int = "auto",
        time_limit: float | None = None,
    ) -> None:
        self.method = method
        self.max_inputs = max_inputs
        self.max_stages = max_stages
        self.tau = tau
        self.effort = effort
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.binarize = binarize
        self.time_limit = time_limit

    # ---- Learning ----------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None, eval_set: Any = None) -> MacchiatoClassifier:
        """Learn from rows with their classes.

        Parameters
        ----------
        X : array-like, pandas or polars DataFrame, or pyarrow Table of shape (n_rows, n_features)
            The columns. NaN and null are gaps; an infinite number is an error.
        y : array-like of shape (n_rows,)
            The class of each row: numbers, texts or Booleans.
        sample_weight : array-like of shape (n_rows,), optional
            How often each row counts, to a millionth; rows of weight 0 count as absent. Weights that are all below 1 are
            shares of the whole: they are scaled to add up to the number of rows.
        eval_set : (X, y) or (X, y, sample_weight), optional
            Rows that decide between candidates; only with ``method="auto"`` and without `max_inputs`.

        Returns
        -------
        MacchiatoClassifier
            The estimator itself.

        Raises
        ------
        MacchiatoError
            A `ValueError` whose attributes ``column`` and ``row`` say where, if it has a place.

        Warns
        -----
        InterruptedWarning
            Ctrl-C was pressed: the model is the best so far.
        SingleClassWarning
            The target has one class.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> ages = [[23], [31], [38], [45], [52], [67]] * 4
        >>> member = ["no", "no", "no", "yes", "yes", "yes"] * 4
        >>> print(MacchiatoClassifier().fit(ages, member).circuit_)
        y = yes if x0 > 40
        """
        options = self._options()
        table = self._table(X, reset=True)
        name = target_name(y)
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        labels = read_target(y, name)
        check_consistent_length(np.empty(table.rows), labels)
        weights = read_weights(sample_weight, table.rows)
        classes, codes = np.unique(labels, return_inverse=True)
        rows = (table, name, codes.astype(np.uint32), class_texts(classes), weights)
        asked = None if eval_set is None else self._asked(eval_set, table.names, table.numeric, name)
        report = print if self.verbose else None
        model, interrupted = _macchiato.Classifier.fit(rows, asked, options, report)
        # Without those that only rows of weight 0 have.
        self.classes_ = classes = classes[np.isin(rows[3], model.classes)]
        self.interrupted_ = interrupted
        self._learned(model, table.numeric)
        if interrupted:
            warnings.warn("fit interrupted: the model is the best so far", InterruptedWarning, stacklevel=2)
        elif len(classes) == 1:
            only = spelled(classes.tolist()[0])
            warnings.warn(f"the only class is {only!r}: it is always the answer", SingleClassWarning, stacklevel=2)
        return self

    def _learned(self, model: _macchiato.Classifier, numeric: Sequence[str]) -> None:
        self._model = model
        kinds = dict(model.columns)
        self._measures = [name for name in numeric if kinds.get(name) == "boolean"]
        # The library orders classes by their numbers, also where they are texts.
        places = {text: place for place, text in enumerate(class_texts(self.classes_))}
        self._places = np.array([places[text] for text in model.classes])
        self._made: dict[str, Any] = {}

    def _options(self) -> Any:
        """The parameters, checked, as the compiled part reads them."""

        def whole(name: str, least: int, most: int | None = None) -> int:
            value = getattr(self, name)
            if not isinstance(value, Integral) or isinstance(value, bool):
                raise ParamError(f"{name} is {value!r}: give a whole number")
            number = int(value)
            if number < least or (most is not None and number > most):
                bounds = f"from {least} on" if most is None else f"from {least} to {most}"
                raise ParamError(f"{name} is {number}: give a number {bounds}")
            return number

        if self.method not in _METHODS:
            raise ParamError(f"method is {self.method!r}: give 'auto' or 'paper'")
        if not isinstance(self.tau, Real) or not 0 <= self.tau < 1:
            raise ParamError(f"tau is {self.tau!r}: give a number from 0 to below 1")
        if self.tau != 0 and self.method != "paper":
            raise ParamError("tau is a parameter of method='paper'")
        cuts, quantiles = self.binarize, _QUANTILES
        if not (isinstance(cuts, str) and cuts in _CUTS):
            if isinstance(cuts, str) or not isinstance(cuts, Integral) or cuts < 1:
                raise ParamError(f"binarize is {cuts!r}: give 'auto', 'evidence', 'quantile' or a number of quantiles")
            cuts, quantiles = "quantile", int(cuts)
        limit = self.time_limit
        if limit is not None and not (isinstance(limit, Real) and limit >= 0):
            raise ParamError(f"time_limit is {limit!r}: give seconds from 0 on, or None")
        return {
            "method": self.method,
            "max_inputs": None if self.max_inputs is None else whole("max_inputs", 1),
            "max_stages": whole("max_stages", 1),
            "tau": np.format_float_positional(float(self.tau), precision=18, trim="-"),
            "effort": whole("effort", 1, 9),
            "seed": self._seed(),
            "cuts": cuts,
            "quantiles": quantiles,
            "threads": thread_count(self.n_jobs),
            "time_limit": None if limit is None else float(limit),
        }

    def _seed(self) -> int:
        state = self.random_state
        if state is None:
            return 0
        if isinstance(state, Integral):
            if state < 0:
                raise ParamError(f"random_state is {state}: give a number from 0 on")
            return int(state)
        return int(check_random_state(state).randint(2**31))

    def _asked(self, eval_set: Any, names: list[str], numeric: list[str], name: str) -> Any:
        if isinstance(eval_set, list) and len(eval_set) == 1:
            eval_set = eval_set[0]
        if not isinstance(eval_set, tuple) or len(eval_set) not in (2, 3):
            raise ParamError("eval_set: give a pair (X, y), or (X, y, sample_weight)")
        if self.method != "auto" or self.max_inputs is not None:
            raise ParamError("eval_set decides between candidates, which need method='auto' and no max_inputs")
        X, y, *sample_weight = eval_set
        try:
            table = self._table(X, reset=False, where="eval_set")
            if table.rows == 0:
                raise RowsError("no rows to decide by")
            labels = read_target(y, name)
            check_consistent_length(np.empty(table.rows), labels)
            weights = read_weights(sample_weight[0] if sample_weight else None, table.rows)
        except MacchiatoError as error:
            raise placed(error, "eval_set") from None
        table.names, table.measures = names, frozenset(numeric)
        classes, codes = np.unique(labels, return_inverse=True)
        return table, name, codes.astype(np.uint32), class_texts(classes), weights

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

    # ---- Answering ---------------------------------------------------------------------------------------------------

    def _asking(self, X: Any) -> tuple[Table, int]:
        check_is_fitted(self)
        table = self._table(X, reset=False)
        # The columns are those of the fit by their place: scikit-learn has compared the names.
        table.names, table.measures = [name for name, _ in self._model.columns], frozenset(self._measures)
        return table, thread_count(self.n_jobs)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row.

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
            In the order of ``classes_``; the greatest one of a row is what :meth:`predict` gives.

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

    # ---- What was learned --------------------------------------------------------------------------------------------

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
            learned = range(len(self._model.learned))
            return [json.loads(self._model.model(number))["trace"] for number in learned]

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
    def n_stages_(self) -> int:
        """Number of stages over all circuits."""

        def stages() -> int:
            # The constant of a single class is no stage that was learned.
            return sum(circuit.n_stages for circuit in self._circuits()) if self._model.learned else 0

        number: int = self._once("n_stages_", stages)
        return number

    # ---- Why ---------------------------------------------------------------------------------------------------------

    def _known(self, X: Any, y: Any) -> tuple[Table, NDArray[np.uint32] | None]:
        """Rows and, if given, the numbers of their classes."""
        table, _ = self._asking(X)
        if y is None:
            return table, None
        labels = read_target(y, self._model.target)
        check_consistent_length(np.empty(table.rows), labels)
        numbers = {text: number for number, text in enumerate(self._model.classes)}
        classes, codes = np.unique(labels, return_inverse=True)
        texts = class_texts(classes)
        strange = [text for text in texts if text not in numbers]
        if strange:
            raise ValueError(f"y has the class {strange[0]!r}, which the training rows did not have: leave its rows out")
        return table, np.array([numbers[text] for text in texts], dtype=np.uint32)[codes]

    def explain(
        self, X: Any = None, y: Any = None, *, exact: bool = False, time_limit: float | None = None
    ) -> Explanation:
        """Explain the classifier: its stages, how often each fires, what it corrected, and how much each column matters.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_features), optional
            Rows on which everything is counted as well.
        y : array-like of shape (n_rows,), optional
            Their classes, for errors.
        exact : bool, default=False
            Search until everything is proven; otherwise limits that do not depend on the clock end it, and what they leave
            open is said.
        time_limit : float, optional
            Seconds after which the search ends with what is proven by then.

        Returns
        -------
        Explanation
            The facts, which print as text.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> ages = [[23], [31], [38], [45], [52], [67]] * 4
        >>> rule = MacchiatoClassifier().fit(ages, ["no", "no", "no", "yes", "yes", "yes"] * 4)
        >>> print(rule.explain())
        y = yes if x0 > 40
        holds on 1 of 2 points (50.0 %)
        <BLANKLINE>
        stage 1   x0 > 40
            fires on 1 of 2 points (50.0 %)
            errors 12 → 0 of 24 training rows
            reads x0
        <BLANKLINE>
        influence   share of the 2 points whose answer changes with this column alone
            x0    100.0 %
        """
        check_is_fitted(self)
        rows = None if X is None else self._known(X, y)
        return Explanation._of(self._model.explain((exact, time_limit), rows))

    def explain_prediction(self, x: Any, *, exact: bool = False, time_limit: float | None = None) -> Explanation:
        """Explain the class of one row: the fewest columns that force it, and the nearest row of another class.

        Parameters
        ----------
        x : array-like or data frame of shape (1, n_features)
            One row, as a table: ``X[:1]``, ``X.iloc[[7]]``.
        exact : bool, default=False
            Search until everything is proven.
        time_limit : float, optional
            Seconds after which the search ends with what is proven by then.

        Returns
        -------
        Explanation
            The facts, which print as text.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> ages = [[23], [31], [38], [45], [52], [67]] * 4
        >>> rule = MacchiatoClassifier().fit(ages, ["no", "no", "no", "yes", "yes", "yes"] * 4)
        >>> print(rule.explain_prediction([[29]]))
        y = no
        <BLANKLINE>
        y = yes? no
        together  no stage fires: 0
        <BLANKLINE>
        because   x0 <= 40 (29)
                  whatever the other columns are; no fewer columns force it: proven
        nearest   x0 29 → x0 > 40
                  then y = yes; one column changes: proven nearest
        """
        table, _ = self._asking(x)
        if table.rows != 1:
            raise ValueError(f"one row is explained at a time, and x has {table.rows}: give X[7:8] or X.iloc[[7]]")
        return Explanation._of(self._model.explain_prediction(table, (exact, time_limit)))

    def explain_difference(
        self, other: MacchiatoClassifier, *, exact: bool = False, time_limit: float | None = None
    ) -> Explanation:
        """Compare with another classifier: where they disagree, and how often.

        Parameters
        ----------
        other : MacchiatoClassifier
            Columns are the same if their names are; cuts may differ.
        exact : bool, default=False
            Search until everything is proven.
        time_limit : float, optional
            Seconds after which the search ends with what is proven by then.

        Returns
        -------
        Explanation
            The facts, which print as text; ``["equal"]`` is true only where that is proven.
        """
        check_is_fitted(self)
        check_is_fitted(other)
        return Explanation._of(self._model.explain_difference(other._model, (exact, time_limit)))

    def error_bound(self, X: Any, y: Any, confidence: float = 0.95) -> float:
        """Bound the true error by rows that the classifier was not learned from, nor chosen by.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_features)
            Fresh rows, drawn independently.
        y : array-like of shape (n_rows,)
            Their classes.
        confidence : float, default=0.95
            The probability with which the bound holds.

        Returns
        -------
        float
            With that confidence, the classifier errs on at most this share of such rows; so does the network of two classes.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> rule = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 0, 0, 1] * 5)
        >>> round(rule.error_bound([[0, 1], [1, 1]] * 50, [0, 1] * 50), 3)
        0.03
        """
        answers = self.predict(X)
        labels = read_target(y, self._model.target)
        check_consistent_length(answers, labels)
        wrong = (answers.astype(object) != labels.astype(object)).sum()
        return error_bound(int(wrong), len(answers), confidence)

    def report(
        self, path: str | os.PathLike[str], X: Any = None, y: Any = None, X_test: Any = None, y_test: Any = None
    ) -> None:
        """Write one HTML page that shows the classifier, opens in any browser and loads nothing (``docs/report.md``).

        Parameters
        ----------
        path : path
            The file.
        X, y : the training rows and their classes, optional
            For the confusion of classes, and for the cells of each table that rows have seen.
        X_test, y_test : other rows and their classes, optional
            For their confusion.
        """
        check_is_fitted(self)
        for rows, classes, name in ((X, y, "y"), (X_test, y_test, "y_test")):
            if rows is not None and classes is None:
                raise ValueError(f"the report counts rows by their classes: give {name} as well")
        train = None if X is None else self._known(X, y)
        test = None if X_test is None else self._known(X_test, y_test)
        Path(path).write_text(self._model.report(train, test), encoding="utf-8", newline="\n")

    # ---- Files -------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file that the ``macchiato`` command reads, and would have written for the same table.

        Parameters
        ----------
        path : path
            The file.
        """
        check_is_fitted(self)
        Path(path).write_bytes(self._model.to_bytes())

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """Write an ONNX network that reads the table: the tests of the columns in front of the layers of ``network_``.

        Its inputs are the columns that some test reads, each of shape (n_rows, 1) under its own name: numbers and Booleans as
        float64, NaN where there is none, and categories as texts, empty where there is none. Its output ``y``, of shape
        (n_rows, n_circuits), is that of ``network_``; the certificate covers the layers, not the tests (``docs/classifier.md``).

        Parameters
        ----------
        path : path, optional
            Where to write it as well.

        Returns
        -------
        bytes
            The file, as ``macchiato compile --raw`` writes it.

        Raises
        ------
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
        file = self._model.raw_onnx(self.network_._core)
        if path is not None:
            Path(path).write_bytes(file)
        return file

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> MacchiatoClassifier:
        """Read a model file, of :meth:`save` or of ``macchiato fit``.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        MacchiatoClassifier
            Fitted. Classes that are all whole numbers are integers, others are texts.

        Raises
        ------
        ClassifierError
            A file that is no classifier. What the command learns from a table of nothing but 0 and 1 is a circuit, which
            :meth:`Circuit.load` reads, unless it is asked for a classifier by ``--binarize auto``.
        """
        file = Path(path).read_bytes()
        try:
            model = _macchiato.Classifier.from_bytes(file, str(path))
        except ClassifierError as error:
            try:
                _macchiato.Circuit.from_model(file, str(path))
            except ModelError:
                raise error from None
            raise ClassifierError(
                f"{path}: the model of a table of bits, which is a circuit: read it with Circuit.load, or have the command "
                "learn a classifier from such a table, too, by `macchiato fit --binarize auto`"
            ) from None
        estimator = cls()
        if model.learned:
            method = json.loads(model.model(0))["method"]
            names = {"name": "method", "k": "max_inputs", "m": "max_stages", "effort": "effort", "seed": "random_state"}
            known = {names[key]: value for key, value in method.items() if key in names}
            if "tau" in method:
                known["tau"] = float(method["tau"])
            estimator.set_params(**known)
        names_in = [name for name, _ in model.columns]
        estimator.n_features_in_ = len(names_in)
        estimator.feature_names_in_ = np.array(names_in, dtype=object)
        try:
            estimator.classes_ = np.sort(np.array([int(text) for text in model.classes]))
        except ValueError:
            estimator.classes_ = np.sort(np.array(model.classes))
        estimator.interrupted_ = False
        estimator._learned(model, ())
        return estimator

    # ---- scikit-learn ------------------------------------------------------------------------------------------------

    def _is_fitted(self) -> bool:
        return "_model" in vars(self)

    def __sklearn_is_fitted__(self) -> bool:
        return self._is_fitted()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __getstate__(self) -> Any:
        state = dict(super().__getstate__())
        if "_made" in state:
            # Made again when asked for.
            state["_made"] = {}
        return state
