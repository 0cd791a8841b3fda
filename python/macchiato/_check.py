"""The independent checker's verdict."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from . import _macchiato
from ._network import Network


@dataclass(frozen=True)
class Verdict:
    """What the checker says; true where it accepts.

    Parameters
    ----------
    verdict : str
        ``"accepted"``, ``"rejected"`` or ``"unreadable"``; asked for behaviour also ``"equal"``, ``"differs"`` or
        ``"undecided"``, and of a record ``"decides"``. Only ``"accepted"``, ``"equal"`` and ``"decides"`` are true.
    text : str
        The reasons in full.
    """

    verdict: str
    text: str

    def __bool__(self) -> bool:
        return self.verdict in {"accepted", "equal", "decides"}

    def __str__(self) -> str:
        return self.text


def check(
    network: Network | bytes | str | os.PathLike[str],
    certificate: bytes | str | os.PathLike[str],
    *,
    rows: bytes | os.PathLike[str] | None = None,
    behaviour: bool = False,
) -> Verdict:
    """Ask the independent checker whether a network file computes the certified circuit.

    Parameters
    ----------
    network : Network, bytes or path
        The network; of a :class:`Network` the file that the certificate speaks of.
    certificate : str, bytes or path
        The certificate's text, or where it is; or a record of :meth:`Network.recertify`, which says that outputs are above
        1/2 exactly where the circuits hold.
    rows : bytes or path, optional
        The training rows (CSV, TSV or PLA), to replay the training claims.
    behaviour : bool, default=False
        For a network that was changed since: does it still equal the circuit on all 0 and 1, as float32 computes it, in
        whichever order a runtime adds? A file that is right in exact arithmetic but may round otherwise is
        ``"undecided"``, which is not true.

    Returns
    -------
    Verdict
        True where the checker accepts.

    Examples
    --------
    >>> from macchiato import Circuit, check
    >>> network = Circuit(["a", "b"], [[[(0, True)]], [[(1, True)]]]).compile()
    >>> check(network, network.certificate()).verdict
    'accepted'
    >>> verdict = check(network.to_onnx()[:-1] + b"!", network.certificate())
    >>> bool(verdict), verdict.verdict
    (False, 'rejected')
    """
    if isinstance(certificate, str) and certificate.startswith(("macchiato-certificate", "macchiato-decides")):
        text = certificate.encode()
    else:
        text = certificate if isinstance(certificate, bytes) else Path(certificate).read_bytes()
    if isinstance(network, Network):
        safetensors = b"\nnetwork safetensors " in text[:200]
        file = network.to_safetensors() if safetensors else network.to_onnx()
    else:
        file = network if isinstance(network, bytes) else Path(network).read_bytes()
    if text.startswith(b"macchiato-decides"):
        return Verdict(*_macchiato.check_decides(text, file))
    if behaviour:
        return Verdict(*_macchiato.check_behaviour(text, file))
    training = rows if rows is None or isinstance(rows, bytes) else Path(rows).read_bytes()
    return Verdict(*_macchiato.check(text, file, training))
