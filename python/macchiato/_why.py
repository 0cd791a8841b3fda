"""Why a classifier answers what it answers, how sure that is, and a page that shows it."""

from __future__ import annotations

import os
from datetime import datetime, timezone
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _macchiato
from ._answers import Answers
from ._bounds import error_bound
from ._explained_rows import explained_rows
from ._explanation import Explanation
from ._labels import class_texts, read_target
from ._parameters import places_of
from ._tables import Table


class Why(Answers):
    """Explanations, an error bound and a report."""

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

    def explain_prediction(
        self,
        X: Any,
        *,
        actionable: Any = None,
        as_frame: bool | None = None,
        exact: bool = False,
        time_limit: float | None = None,
    ) -> Any:
        """Explain the class of a row, or of many: the fewest columns that force it, and the nearest row of another class.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_features)
            One row, as a table: ``X[:1]``, ``X.iloc[[7]]``; or many.
        actionable : list of str or int, optional
            The columns that may change for another class, by name or by place: what can be acted on. All others stay as they are. Where
            no such change leads to another class, that is proven and said.
        as_frame : bool, optional
            Whether to give a table with a row for each; by default unless `X` has one row.
        exact : bool, default=False
            Search until everything is proven.
        time_limit : float, optional
            Seconds after which the search ends with what is proven by then.

        Returns
        -------
        Explanation or pandas.DataFrame
            The facts about one row, which print as text. Or a frame with the index of `X` (without pandas a list of dicts) whose columns are
            ``prediction`` and its ``probability``; ``because``, the conditions that force it, and whether they are proven the ``smallest``
            such set; ``change``, the nearest change to another class, what the class then ``becomes``, and whether it is proven that none
            is nearer (``nearest``). Where ``change`` is missing and ``nearest`` is true, it is proven that there is none.

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
        >>> print(rule.explain_prediction(ages[:4])[["prediction", "because", "change"]])
          prediction   because    change
        0         no  x0 <= 40   x0 > 40
        1         no  x0 <= 40   x0 > 40
        2         no  x0 <= 40   x0 > 40
        3        yes   x0 > 40  x0 <= 40
        """
        table, threads = self._asking(X)
        self._refuse_threshold("what is explained are")
        columns = None
        if actionable is not None:
            columns = [table.names[place] for place in places_of(actionable, table.names, "actionable")]
        if as_frame is False and table.rows != 1:
            raise ValueError(f"as_frame=False is for one row, and X has {table.rows}: give X[7:8] or X.iloc[[7]]")
        if not as_frame and table.rows == 1:
            return Explanation._of(self._model.explain_prediction(table, (exact, time_limit), columns))
        explained, which = self._model.explain_predictions(table, (exact, time_limit), columns)
        codes, shares = self._model.predict(table, threads), self._model.predict_proba(table, threads)
        answers = self.classes_[self._places[codes]], shares[np.arange(table.rows), codes]
        names = {text: self.classes_.tolist()[place] for text, place in zip(self._model.classes, self._places)}
        return explained_rows(explained, which, X, answers, names)

    def explain_difference(
        self, other: Why, *, exact: bool = False, time_limit: float | None = None
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
        today = datetime.now(timezone.utc).date().isoformat()
        _macchiato.write_file(path, self._model.report(today, train, test).encode())
