"""What `lab engines` measures: learning where the rows are, on rows that are made on the spot and deleted afterwards.

    engines.py RESULTS [--rows N] [--part NAME]... [--growth N,N,...] [--effort N] [--folder FOLDER]

Every fit has processes of its own, one after the other. RESULTS is a JSON file: runs with the name and number of rows of one that is measured now
are replaced, the others stay.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import apart
import duckdb
import numpy as np
import pyarrow.parquet as pq
import rows
from cluster import Cluster
from macchiato import MacchiatoClassifier

PARTS = ["engines", "faults", "memory", "growth", "peers"]
#: What DuckDB may use, so that the process with all else stays below 1 GiB.
LIMIT = "500MB"
#: The file whose rows nothing learns from.
TEST = 900
TEST_ROWS = 200_000
#: Rows that the engines and memory share.
PART_IN_MEMORY = 1_000_000


class Lab:
    """The rows, and what was measured."""

    def __init__(self, folder: Path, results: Path, effort: int) -> None:
        self.folder, self.path, self.effort = folder, results, effort
        self.results: dict[str, Any] = json.loads(results.read_text()) if results.exists() else {}
        runs = self.results.setdefault("runs", [])
        self.results = {
            "how_to_read": "Seconds of the processors of all processes; peaks are of resident memory, of Spark's processes together. "
            "Other programs ran on the same processors, so that seconds of the clock say less.",
            "cpus": len(os.sched_getaffinity(0)),
            "versions": {name: importlib.metadata.version(name) for name in ("duckdb", "pyspark", "xgboost", "pyarrow")},
            "noise": rows.NOISE,
            "runs": runs,
        }

    # ---- Rows ----------------------------------------------------------------------------------------------------------

    def made(self, count: int) -> Path:
        """A folder of so many rows; folders share their files."""
        folder = self.folder / f"rows-{count}"
        if folder.exists():
            return folder
        said(f"{count} rows")
        folder.mkdir()
        if count < rows.PART:
            rows.write(folder, range(1), count)
            return folder
        assert count % rows.PART == 0, "whole files"
        shared = self.folder / "all"
        for number in range(count // rows.PART):
            name = f"part-{number:03}.parquet"
            if not (shared / name).exists():
                rows.write(shared, range(number, number + 1))
            os.link(shared / name, folder / name)
        return folder

    def test(self) -> Path:
        folder = self.folder / "test"
        if not folder.exists():
            rows.write(folder, range(TEST, TEST + 1), TEST_ROWS)
        return folder / f"part-{TEST:03}.parquet"

    def forget(self, count: int) -> None:
        """Delete files that no smaller folder has."""
        shutil.rmtree(self.folder / f"rows-{count}", ignore_errors=True)
        for path in (self.folder / "all").glob("*.parquet"):
            if path.stat().st_nlink == 1:
                path.unlink()

    # ---- Runs ----------------------------------------------------------------------------------------------------------

    def note(self, name: str, count: int, run: dict[str, Any]) -> dict[str, Any]:
        made = {"name": name, "rows": count, **run}
        self.results["runs"] = [old for old in self.results["runs"] if (old["name"], old["rows"]) != (name, count)] + [made]
        self.results["runs"].sort(key=lambda run: (run["name"], run["rows"]))
        partial = self.path.with_suffix(".partial")
        partial.write_text(json.dumps(self.results, indent=2) + "\n")
        partial.replace(self.path)
        said(f"{name}, {count} rows: {run['cpu_seconds']} CPU s, {run['seconds']} s, {run['peak_mib']} MiB")
        return made

    def fit(self, name: str, engine: str, count: int, limit: str | None = None, like: str | None = None, **more: Any) -> None:
        """Fit and predict, and look whether another run gave the same model and predictions."""
        folder, out = self.made(count), self.folder / f"{name}-{count}"
        out.mkdir(exist_ok=True)
        said(f"{name}, {count} rows")
        url = more.pop("url", None)
        arguments = [engine, folder, out, self.effort, *([url] if url else [])]
        run = apart.run("fit.py", arguments, {"MACCHIATO_ENGINE_MEMORY": limit} if limit else None, **more)
        table = run.pop("table")
        run |= {"effort": self.effort, "limit": limit, "sample": table["sample"], "wrong": table["wrong"], "searches": len(table["searches"])}
        run["error_bound"] = table["error_bound"]["bound"]
        run["bytes"] = sum(path.stat().st_size for path in folder.iterdir())
        run |= self.judged(out / "model.json")
        if like is not None:
            other = self.folder / f"{like}-{count}"
            same = (other / "model.json").read_bytes() == (out / "model.json").read_bytes()
            run["like"] = {"run": like, "same_model": same, "different_predictions": different(other, out)}
        self.note(name, count, run)

    def judged(self, model: Path) -> dict[str, Any]:
        """The model on rows that nothing learned from, beside the rule that was planted."""
        table = pq.read_table(self.test())
        answer = MacchiatoClassifier.load(model).predict(table.drop_columns(["id", "y"])) == "yes"
        labels = np.array(table["y"].to_pylist()) == "yes"
        return {
            "accuracy": round(float((answer == labels).mean()), 6),
            "differs_from_planted": int((answer != rows.planted(TEST, TEST_ROWS)).sum()),
            "test_rows": len(labels),
        }

    def spark(self, name: str, count: int, like: str, kill: bool = False) -> None:
        """On a cluster of its own; with `kill` a worker is killed in the midst of the counts."""
        with Cluster(self.folder / f"cluster-{name}") as cluster:
            killed: list[str] = []

            def hears(line: str) -> None:
                if kill and not killed and line.startswith("errors split by every test ..."):
                    killed.append("the scan that splits the errors by every test")
                    threading.Timer(2.0, cluster.kill_a_worker).start()

            self.fit(name, "spark", count, like=like, url=cluster.url, beside=cluster.pids, said=hears)
            if kill:
                assert killed and cluster.processes[-1].poll() is not None, "no worker was killed"
                self.results["runs"][self._place(name, count)]["killed_during"] = killed[0]
        shutil.rmtree(self.folder / f"cluster-{name}", ignore_errors=True)

    def _place(self, name: str, count: int) -> int:
        return next(i for i, run in enumerate(self.results["runs"]) if (run["name"], run["rows"]) == (name, count))

    def peer(self, name: str, mode: str, count: int) -> None:
        said(f"{name}, {count} rows")
        self.note(name, count, apart.run("peer.py", [mode, self.made(count), self.test()]))


def different(first: Path, second: Path) -> int:
    """Rows whose predictions or probabilities two runs do not share, rows that one lacks among them."""
    names = [f"'{folder}/predicted.parquet{'/*.parquet' if (folder / 'predicted.parquet').is_dir() else ''}'" for folder in (first, second)]
    joined = f"(SELECT * FROM {names[0]}) AS a FULL JOIN (SELECT * FROM {names[1]}) AS b ON a.id = b.id"
    differs = "a.prediction IS DISTINCT FROM b.prediction OR a.probability IS DISTINCT FROM b.probability"
    with tempfile.TemporaryDirectory(dir=first) as spill, duckdb.connect(config={"temp_directory": spill, "memory_limit": "2GB"}) as asked:
        counted = asked.sql(f"SELECT count(*) FROM {joined} WHERE {differs}").fetchall()
    return int(counted[0][0])


def said(words: str) -> None:
    print(f"engines: {words}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("results", type=Path)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--growth", default="100000,1000000,10000000,100000000")
    parser.add_argument("--effort", type=int, default=5, help="of the search in the sample")
    parser.add_argument("--folder", help="where the rows go for the time of the run")
    given = parser.parse_args()
    parts, count = given.part or PARTS, given.rows
    few = min(count, PART_IN_MEMORY)
    with tempfile.TemporaryDirectory(prefix="macchiato-engines-", dir=given.folder) as folder:
        lab = Lab(Path(folder), given.results, given.effort)
        if "memory" in parts:
            lab.fit("duckdb", "duckdb", few, LIMIT)
            lab.fit("memory", "memory", few, like="duckdb")
            lab.spark("spark", few, "duckdb")
        if {"engines", "faults"} & set(parts):
            lab.fit("duckdb", "duckdb", count, LIMIT)
        if "engines" in parts:
            lab.spark("spark", count, "duckdb")
        if "faults" in parts:
            lab.fit("duckdb without a limit", "duckdb", count, like="duckdb")
            lab.spark("spark, a worker killed", count, "duckdb", kill=True)
        if "peers" in parts:
            lab.peer("xgboost from memory", "memory", count)
            lab.peer("xgboost, external memory", "external", count)
        if "growth" in parts:
            for size in map(int, given.growth.split(",")):
                if not any((run["name"], run["rows"]) == ("duckdb", size) for run in lab.results["runs"]) or size > count:
                    lab.fit("duckdb", "duckdb", size, LIMIT)
                if size > count:
                    lab.forget(size)
        said("done")


if __name__ == "__main__":
    main()
