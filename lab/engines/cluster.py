"""Spark standalone on loopback: a Master and two Workers, started through the `spark-class` of the PyPI package."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path


def free_port() -> int:
    with socket.socket() as open_socket:
        open_socket.bind(("127.0.0.1", 0))
        return int(open_socket.getsockname()[1])


class Cluster:
    """Ends with the `with` that it is used in."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        import pyspark

        self.folder, self.count = folder, workers
        self.spark_class = Path(pyspark.__file__).parent / "bin" / "spark-class"
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Cluster:
        port = free_port()
        self.url = f"spark://127.0.0.1:{port}"
        self._start("Master", "--port", port, "--webui-port", free_port())
        self._wait_for(port)
        for number in range(self.count):
            work = self.folder / f"worker-{number}"
            self._start("Worker", "--cores", 1, "--memory", "2g", "--work-dir", work, "--webui-port", free_port(), self.url)
        log = self.folder / "Master-0.log"
        self._until(lambda: log.read_text().count("Registering worker") == self.count, "the workers did not register")
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            process.wait()

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self.processes)

    def kill_a_worker(self) -> None:
        """The last worker and the executor that it started, by SIGKILL."""
        os.killpg(self.processes[-1].pid, signal.SIGKILL)

    def _start(self, role: str, *arguments: object) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        log = self.folder / f"{role}-{len(self.processes)}.log"
        environment = {
            **os.environ,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_NO_DAEMONIZE": "1",
            "SPARK_DAEMON_MEMORY": "512m",
            "SPARK_LOCAL_DIRS": str(self.folder),
        }
        command = [self.spark_class, f"org.apache.spark.deploy.{role.lower()}.{role}", "--host", "127.0.0.1", *arguments]
        with log.open("wb") as out:
            # A group of its own, so that a worker dies with its executor.
            self.processes.append(
                subprocess.Popen([str(part) for part in command], env=environment, stdout=out, stderr=out, start_new_session=True)
            )

    def _wait_for(self, port: int) -> None:
        def answers() -> bool:
            with socket.socket() as tried:
                return tried.connect_ex(("127.0.0.1", port)) == 0

        self._until(answers, "the master does not answer")

    def _until(self, holds, words: str) -> None:
        for _ in range(600):
            if holds():
                return
            time.sleep(0.1)
        raise RuntimeError(f"{words}: see {self.folder}")
