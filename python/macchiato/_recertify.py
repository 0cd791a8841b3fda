"""What a fine-tuned network computes now."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._network import Network


@dataclass(frozen=True)
class Recertified:
    """What a network computes after its weights were changed, and what can be certified of it.

    Parameters
    ----------
    changes : list of str
        The gates that answer otherwise than before, in words.
    no_gates : list of str
        The gates that are none any more, each with values for which it has no answer.
    record : str or None
        Accepted by ``macchiato-replay``: every output of the network as it is, is above 1/2 exactly where its circuit
        holds. That is less than being equal to it.
    why_not : str or None
        Why there is no record.
    largest_difference : float
        No output is further than this from its circuit's, on any row of 0 and 1.
    network : Network
        The snapped network: the exact one of the new circuits.
    file : bytes
        The ONNX file of the network as it is, of which the record speaks.
    """

    changes: list[str]
    no_gates: list[str]
    record: str | None
    why_not: str | None
    largest_difference: float
    network: Network = field(repr=False)
    file: bytes = field(repr=False)
