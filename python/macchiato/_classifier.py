"""The estimator."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_consistent_length

from . import _macchiato
from ._cells import spelled
from ._labels import class_texts, class_type, read_class_weight, read_target, read_weights, target_name
from ._macchiato import MacchiatoError, ParamError, RowsError
from ._parameters import places_of, read_directions, read_parameters
from ._saved import Saved
from ._tables import placed
from ._threads import InterruptedWarning, progress


# Rules that a notebook shows below the estimator.
_RULES_SHOWN = 3


class SingleClassWarning(UserWarning):
    """The target has one class only: it is always the answer."""


class NoRuleWarning(UserWarning):
    """No rule was found: the most frequent class is always the answer."""


class MacchiatoClassifier(ClassifierMixin, Saved):  # type: ignore[misc]
    """A classifier that is a short Boolean formula over tests such as ``age > 41.5``.

    It takes tables as they are: numbers, Booleans, texts and categories, with gaps. Columns become tests, learned from the
    training rows, and a circuit over them is chosen by evidence. The circuit compiles to an exact ReLU network with a
    certificate. Two classes have one circuit, more have one each.

    Parameters
    ----------
    method : {"auto", "paper"}, default="auto"
        How to learn: circuits of every shape compete (tables, counts, scorecards, chains, graphs, sums of products, votes), or
        Algorithm 1 of the paper.
    max_inputs : int or None, default=None
        Circuits of stages that read at most so many tests each; None is circuits of every shape, and 6 with ``method="paper"``.
    max_stages : int, default=20
        The most stages of a circuit that has such.
    tau : float, default=0.0
        Of ``method="paper"``: only tests whose influence is above this are chosen, from 0 to below 1.
    effort : int, default=5
        Of ``method="auto"``: how much to try, from 1 (quick) to 9 (thorough).
    pick : str, default="score"
        Of ``method="auto"``: which circuit of the front of accuracy against size is taken. ``"score"`` is the one whose
        conditions are worth reading for what they explain, ``"best"`` the most accurate however long, ``"simplest-within=0.01"`` the shortest within a point of
        that, ``"max-conditions=12"`` the best with at most so many conditions.
    max_conditions : int or None, default=None
        The same as ``pick="max-conditions=..."``.
    gates : str, default="and,or,xor,count"
        Of ``method="auto"``: the gates that a circuit may have.
    class_weight : dict, "balanced" or None, default=None
        How much the rows of each class count, besides `sample_weight`: ``{"yes": 10, "no": 1}``, where a class that is not named counts
        once, or ``"balanced"``, by which all classes weigh the same together. Only the balance shifts: all rows together weigh what they
        do without it, as ever so large a factor is no further row. Probabilities become those of the rows so weighted
        (``docs/imbalance.md``).
    exclude : list of str or int, or None, default=None
        Columns that the rule may not use, by name or by place: what would be unfair, or is not known in time. They have no test, so no
        circuit can read them, and they are not looked at; tables still have them, with whatever in them.
    monotone : dict or None, default=None
        Of ``method="auto"`` and two classes: columns, by name or by place, that the answer may only rise with (``{"age": 1}``) or only fall
        with (``{"debt": -1}``). It is proven of the circuit that if such a column rises and nothing else changes, the answer never turns
        away from (for -1: to) the last class. Circuits without that proof are left out, however accurate; a rule may then do without the
        column. Gaps have no order, and of probabilities nothing is proven (``docs/constraints.md``).
    false_positive_cost, false_negative_cost : float, default=1.0
        Of two classes: what it costs to predict the last one where it is not, and not to where it is. Where they differ, :meth:`predict`
        gives the last class where its probability is ``decision_threshold_`` or more, which costs least on average. The circuit, its network
        and certificate stay what they are: they certify the circuit's answers, not these (``docs/imbalance.md``).
    random_state : int, RandomState instance or None, default=None
        The seed of every random choice. None is the seed 0: the same rows give the same model.
    n_jobs : int or None, default=None
        Threads. None is one for each core, or what ``OMP_NUM_THREADS`` says; -1 is all cores. It does not change the model.
    verbose : int, default=0
        Above 0, says what is being tried and what has been found, with the seconds since the start.
    binarize : {"auto", "evidence", "quantile"} or int, default="auto"
        Where numbers are cut: both by evidence and at quantiles, by evidence alone, or at quantiles alone, of which a number
        says how many.
    time_limit : float or None, default=None
        Seconds, after which the best model so far stands and an :class:`InterruptedWarning` is shown.

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
    decision_threshold_ : float
        Of two classes: ``false_positive_cost / (false_positive_cost + false_negative_cost)``, the probability of the last class from which on
        it is the answer; 0.5 stands for the circuit's own answer.
    trace_ : dict or list of dict
        What the fit saw and did, stage by stage, as in the model file (``docs/model.md``).
    support_ : ndarray of int
        The numbers of the columns that some circuit reads.
    feature_importances_ : ndarray of shape (n_features_in_,)
        For each column the share of the training rows whose answer changes if this column alone takes another value (of several circuits the
        mean of their shares), divided by the sum over all columns; exact, and 0 for a column that no circuit reads. A file does not have it.
    n_stages_ : int
        Number of stages over all circuits.
    path_ : list of dict, or list of such lists
        The front, of each circuit where there are several: for each size the best circuit found, with its ``conditions``, the share of
        rows ``right`` among those that judged it and that it did not learn from (None where evidence decided), how it was ``found``, and
        the ``nats`` that it leaves of the labels and takes to describe. Empty where nothing competed; :meth:`at` gives each.
    interrupted_ : bool
        Whether Ctrl-C or the time limit ended the fit early.

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
    the same model from the same table.

    Examples
    --------
    >>> import numpy as np
    >>> from macchiato import MacchiatoClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, size=(200, 5))
    >>> y = X[:, 0] ^ X[:, 1] & X[:, 2]
    >>> rule = MacchiatoClassifier().fit(X, y)
    >>> print(rule.circuit_)
    y = x0 ⊕ (x1 ∧ x2)
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
        pick: str = "score",
        max_conditions: int | None = None,
        gates: str = "and,or,xor,count",
        class_weight: Any = None,
        exclude: Any = None,
        monotone: Any = None,
        false_positive_cost: float = 1.0,
        false_negative_cost: float = 1.0,
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
        self.pick = pick
        self.max_conditions = max_conditions
        self.gates = gates
        self.class_weight = class_weight
        self.exclude = exclude
        self.monotone = monotone
        self.false_positive_cost = false_positive_cost
        self.false_negative_cost = false_negative_cost
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
            Ctrl-C was pressed or the time was up: the model is the best so far, and the warning says what was not done.
        SingleClassWarning
            The target has one class.
        NoRuleWarning
            Nothing in the columns tells the classes apart.

        Examples
        --------
        >>> from macchiato import MacchiatoClassifier
        >>> ages = [[23], [31], [38], [45], [52], [67]] * 4
        >>> member = ["no", "no", "no", "yes", "yes", "yes"] * 4
        >>> print(MacchiatoClassifier().fit(ages, member).circuit_)
        y = yes if x0 > 40
        """
        options = read_parameters(self)
        table = self._table(X, reset=True)
        name = target_name(y)
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        labels = read_target(y, name)
        check_consistent_length(np.empty(table.rows), labels)
        weights = read_weights(sample_weight, table.rows)
        classes, codes = np.unique(labels, return_inverse=True)
        self._check_costs(len(classes), self.monotone)
        options["exclude"] = [table.names[place] for place in places_of(self.exclude, table.names, "exclude")]
        options["monotone"] = read_directions(self.monotone, table.names)
        options["class_weight"] = read_class_weight(self.class_weight, classes)
        rows = (table, name, codes.astype(np.uint32), class_texts(classes), weights)
        asked = None if eval_set is None else self._asked(eval_set, table.names, table.numeric, name)
        report = progress() if self.verbose else None
        model, undone = _macchiato.Model.fit(rows, asked, options, report)
        # Without those that only rows of weight 0 have.
        self.classes_ = classes = classes[np.isin(rows[3], model.classes)]
        self.interrupted_ = undone is not None
        self._learned(model.typed(class_type(classes)), table.numeric)
        influences = self._model.influences(table, options["threads"], weights)
        self._importances = influences / (influences.sum() or 1.0)
        self._warn(undone, X, labels, weights)
        return self

    def _warn(self, undone: str | None, X: Any, labels: NDArray[Any], weights: NDArray[np.uint64] | None) -> None:
        """Say what a person would not expect of the fit; the caller is the fit."""
        if undone is not None:
            words = "fit interrupted: the model is the best so far" + (f"; {undone}" if undone else "")
            warnings.warn(words, InterruptedWarning, stacklevel=3)
        elif len(self.classes_) == 1:
            only = spelled(self.classes_.tolist()[0])
            warnings.warn(f"the only class is {only!r}: it is always the answer", SingleClassWarning, stacklevel=3)
        elif not self.support_.size:
            answer = self.predict(X).tolist()[0]
            share = np.average(labels == answer, weights=weights)
            words = f"no rule was found in these columns: the answer is always {spelled(answer)!r}, right on {share:.1%} of the training rows"
            warnings.warn(words.replace("%", " %"), NoRuleWarning, stacklevel=3)

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

    # ---- scikit-learn ------------------------------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _html_repr(self) -> str:
        """Scikit-learn's drawing, and below it the rule."""
        drawing = str(super()._html_repr())
        if not self._is_fitted():
            return drawing
        circuits = self.circuit_ if isinstance(self.circuit_, list) else [self.circuit_]
        shown = [circuit._repr_html_() for circuit in circuits[:_RULES_SHOWN]]
        if len(circuits) > _RULES_SHOWN:
            shown.append(f"<p>and {len(circuits) - _RULES_SHOWN} more classes: <code>circuit_</code> has all</p>")
        return drawing + "".join(shown)

    def __getstate__(self) -> Any:
        state = dict(super().__getstate__())
        if "_made" in state:
            # Made again when asked for.
            state["_made"] = {}
        return state
