"""A program in processes of its own: how long, how much of the processors, and how much memory all of them have at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Watch:
    """Looks at processes and all that they started, several times a second."""

    def __init__(self, pids: list[int]) -> None:
        self.pids, self.peak, self.cpu = list(pids), 0, {}
        self.before: dict[int, float] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Watch:
        self._look()
        # What they did before does not count.
        self.before = dict(self.cpu)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._look()
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(0.1):
            self._look()

    def _look(self) -> None:
        parents, found = {}, {}
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                try:
                    fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                pid = int(entry.name)
                parents[pid] = int(fields[1])
                found[pid] = ((int(fields[11]) + int(fields[12])) / _TICK, int(fields[21]) * _PAGE)
        ours = set(self.pids)
        while more := {pid for pid, parent in parents.items() if parent in ours and pid not in ours}:
            ours |= more
        self.peak = max(self.peak, sum(found[pid][1] for pid in ours if pid in found))
        for pid in ours & found.keys():
            self.cpu[pid] = max(self.cpu.get(pid, 0.0), found[pid][0])

    def seconds(self) -> float:
        """Processor seconds since it began to watch."""
        return sum(self.cpu.values()) - sum((self.before or {}).values())


def run(
    script: str,
    arguments: list[object],
    environment: dict[str, str] | None = None,
    beside: tuple[int, ...] = (),
    said: Callable[[str], Any] = lambda _: None,
) -> dict[str, Any]:
    """The JSON object that a Python program of this folder prints last, with what it took; `beside` are processes that work for it.

    `said` gets every line before.
    """
    command = [sys.executable, "-u", str(Path(__file__).parent / script), *map(str, arguments)]
    begun = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
    last = ""
    with Watch([child.pid, *beside]) as watch:
        assert child.stdout is not None
        try:
            for line in child.stdout:
                last = line.strip() or last
                print(f"    {line.rstrip()[:150]}", file=sys.stderr, flush=True)
                said(line)
        except BaseException:
            # Also Ctrl-C: nothing goes on behind a prompt.
            child.kill()
            raise
        # Its own account of itself is exact; what works beside it was looked at.
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{script} {arguments}: exit code {child.returncode}")
    own, peak = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    several = bool(beside)
    return {
        **json.loads(last),
        "seconds": round(time.monotonic() - begun, 1),
        "cpu_seconds": round(watch.seconds() if several else own, 1),
        "peak_mib": round((watch.peak if several else peak) / 2**20),
    }
