"""Learn a Boolean rule from a table: a circuit that a person can read, an exact ReLU network, and a certificate.

>>> from macchiato import MacchiatoClassifier
>>> rule = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 1, 1, 0] * 5)
>>> print(rule.circuit_)
y = x0 ⊕ x1
"""

from ._bounds import error_bound, rows_needed
from ._cells import CellTypeError
from ._check import Verdict, check
from ._circuit import Circuit
from ._classifier import MacchiatoClassifier, NoRuleWarning, SingleClassWarning
from ._engine import MissingExtraError
from ._explanation import Explanation
from ._gates import Gate, Literal
from ._macchiato import (
    BinarizeError,
    BoundsError,
    CertifyError,
    CompileError,
    ExplainError,
    ExportError,
    FitError,
    FrameError,
    MacchiatoError,
    MinimizeError,
    ModelError,
    ParamError,
    RawError,
    RecertifyError,
    ReportError,
    RowsError,
    TargetError,
    __version__,
)
from ._minimize import Minimized, minimize
from ._network import Network
from ._plots import plot_circuit, plot_kmap, plot_stages
from ._recertify import Recertified
from ._table_fit import LeftOutWarning, fit_table
from ._threads import InterruptedWarning

__all__ = [
    "BinarizeError",
    "BoundsError",
    "CellTypeError",
    "CertifyError",
    "Circuit",
    "CompileError",
    "ExplainError",
    "Explanation",
    "ExportError",
    "FitError",
    "FrameError",
    "Gate",
    "InterruptedWarning",
    "LeftOutWarning",
    "Literal",
    "MacchiatoClassifier",
    "MacchiatoError",
    "MinimizeError",
    "Minimized",
    "MissingExtraError",
    "ModelError",
    "Network",
    "NoRuleWarning",
    "ParamError",
    "RawError",
    "RecertifyError",
    "Recertified",
    "ReportError",
    "RowsError",
    "SingleClassWarning",
    "TargetError",
    "Verdict",
    "__version__",
    "check",
    "error_bound",
    "fit_table",
    "minimize",
    "plot_circuit",
    "plot_kmap",
    "plot_stages",
    "rows_needed",
]
