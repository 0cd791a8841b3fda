"""What mistakes cost, and the threshold that follows."""

from __future__ import annotations

from numbers import Real

from ._learned import Learned
from ._macchiato import ParamError


class Costs(Learned):
    """Answers by the threshold on the probability at which both mistakes cost the same on average."""

    false_positive_cost: float
    false_negative_cost: float

    def _check_costs(self, classes: int, monotone: object) -> None:
        """Refuse costs that are none, or that go with nothing else that is asked."""
        for name in ("false_positive_cost", "false_negative_cost"):
            cost = getattr(self, name)
            if not isinstance(cost, Real) or not 0 < float(cost) < float("inf"):
                raise ParamError(f"{name} is {cost!r}: give a number above 0")
        if not self._costs_differ():
            return
        if classes > 2:
            raise ParamError(f"false_positive_cost and false_negative_cost are about two classes, and y has {classes}: give class_weight")
        if monotone is not None:
            raise ParamError("monotone is proven of the circuit, whose answers different costs override: give class_weight instead of costs")

    def _costs_differ(self) -> bool:
        return self.false_positive_cost != self.false_negative_cost

    @property
    def decision_threshold_(self) -> float:
        """The probability of the last class from which on it is the answer."""
        # What a class without the attribute would raise, before there are classes or where there are not two.
        if not self._is_fitted() or len(self.classes_) != 2:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'decision_threshold_' unless it is fitted to two classes")
        return float(self.false_positive_cost / (self.false_positive_cost + self.false_negative_cost))

    def _by_threshold(self) -> bool:
        """Whether the answer is not the circuit's."""
        return len(self.classes_) == 2 and self._costs_differ()

    def _refuse_threshold(self, what: str) -> None:
        """Refuse what only the circuit's own answers can be given to."""
        if self._by_threshold():
            raise ParamError(
                f"{what} the circuit's answers, and with these costs predict answers by the threshold {self.decision_threshold_:.3g}: "
                "call set_params(false_positive_cost=1, false_negative_cost=1) first, and compare the probabilities with the threshold "
                "yourself, or fit with class_weight, which moves the circuit"
            )
