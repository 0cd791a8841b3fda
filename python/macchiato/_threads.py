"""How many threads work, and what is said when they are interrupted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable


class InterruptedWarning(UserWarning):
    """Ctrl-C ended the work early: the result is the best so far."""


def thread_count(n_jobs: int | None) -> int:
    """The number of threads that `n_jobs` asks for.

    None is one for each core that the process may use, or ``OMP_NUM_THREADS`` where that is set, as joblib does in its
    workers; negative numbers count from the cores: -1 is all of them, -2 all but one.

    >>> thread_count(3)
    3
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
        return max(1, int(limit)) if limit.isdigit() else cores
    if n_jobs == 0:
        raise ValueError("n_jobs is 0: give None, a number of threads, or -1 for all cores")
    return n_jobs if n_jobs > 0 else max(1, cores + 1 + n_jobs)


def progress() -> Callable[[str], None]:
    """What prints messages after the seconds since now."""
    start = time.monotonic()
    return lambda words: print(f"{time.monotonic() - start:7.1f} s  {words}", flush=True)
