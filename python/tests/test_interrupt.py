"""Ctrl-C ends a fit within a second and leaves the best model so far; other threads run meanwhile."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from macchiato import MacchiatoClassifier

HARD = """
    import os, signal, threading, time, warnings
    import numpy as np
    from macchiato import InterruptedWarning, MacchiatoClassifier
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(40_000, 200))
    y = (X[:, :60].sum(axis=1) + rng.normal(0, 3, 40_000) > 30).astype(int)
    pressed = []
    def press():
        pressed.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    text = textwrap.dedent(HARD) + textwrap.dedent(script)
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="counts processors as Linux does")
def test_ctrl_c_keeps_the_best_so_far():
    done = run(
        """
        threading.Timer(1.0, press).start()
        rule = MacchiatoClassifier()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            rule.fit(X, y)
        late = (time.process_time() - pressed[0]) / len(os.sched_getaffinity(0))
        assert [w.category for w in caught] == [InterruptedWarning], caught
        assert rule.interrupted_ and rule.trace_["stop"] == "interrupted"
        assert rule.predict(X[:3]).shape == (3,)
        print(late)
        """
    )
    assert done.returncode == 0, done.stderr
    # In processor time: other tests run beside this one.
    assert float(done.stdout) < 1, f"{done.stdout.strip()} s"


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_a_second_ctrl_c_is_raised():
    done = run(
        """
        def twice():
            press()
            time.sleep(0.06)
            press()
        threading.Timer(1.0, twice).start()
        rule = MacchiatoClassifier(effort=9)
        try:
            rule.fit(X, y)
            print("warned")
        except KeyboardInterrupt:
            assert not hasattr(rule, "circuit_")
            print("raised")
        """
    )
    # It may have ended between the two.
    assert done.returncode == 0 and done.stdout.strip() in {"raised", "warned"} or "KeyboardInterrupt" in done.stderr


@pytest.mark.filterwarnings("ignore::macchiato.InterruptedWarning")
def test_other_threads_run_meanwhile():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(20_000, 60))
    y = (X[:, :20].sum(axis=1) + rng.normal(0, 2, 20_000) > 10).astype(int)
    ticks, stop = [], threading.Event()

    def tick() -> None:
        while not stop.wait(0.005):
            ticks.append(time.monotonic())

    clock = threading.Thread(target=tick)
    clock.start()
    started = time.monotonic()
    MacchiatoClassifier(time_limit=1).fit(X, y)
    took = time.monotonic() - started
    stop.set()
    clock.join()
    during = [t for t in ticks if started < t < started + took]
    assert len(during) > 10 * took, f"{len(during)} ticks in {took} s"


def test_fits_in_several_threads():
    X = np.random.default_rng(0).integers(0, 2, size=(300, 6))
    y = X[:, 0] ^ X[:, 1]
    rules = [MacchiatoClassifier() for _ in range(4)]
    threads = [threading.Thread(target=rule.fit, args=(X, y)) for rule in rules]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({rule._model.to_bytes() for rule in rules}) == 1
