"""Boosted trees on the rows of `lab engines`, in a process of its own.

    peer.py memory FOLDER TEST     all rows as one matrix
    peer.py external FOLDER TEST   its external-memory mode: files read again and again, pages kept on disk

Prints one JSON object: the accuracy on TEST, and the seconds of the fit with reading. xgboost has its defaults: 100 rounds, depth 6, `hist`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xgboost

NAMES = [f"x{i}" for i in range(14)] + [f"k{i}" for i in range(10)] + [f"b{i}" for i in range(8)] + [f"c{i}" for i in range(8)]
TYPES = ["q"] * 24 + ["i"] * 8 + ["c"] * 8
ROUNDS = 100


def matrix(path: Path, words: dict[str, list[str]], out: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """A file as 32-bit floats, texts as the numbers of their categories, and its labels; gaps are NaN."""
    table = pq.read_table(path)
    values = np.empty((table.num_rows, len(NAMES)), dtype=np.float32) if out is None else out
    for place, name in enumerate(NAMES):
        column = table[name]
        if pa.types.is_string(column.type):
            known = words.setdefault(name, sorted(pa.compute.unique(column).to_pylist()))
            column = pa.compute.index_in(column, pa.array(known))
        values[:, place] = column.cast("float32").to_numpy()
    return values, pa.compute.equal(table["y"], "yes").cast("float32").to_numpy()


class Files(xgboost.DataIter):
    """The files one by one."""

    def __init__(self, files: list[Path], words: dict[str, list[str]], cache: str) -> None:
        self.files, self.words, self.place = files, words, 0
        super().__init__(cache_prefix=cache, on_host=False)

    def next(self, input_data) -> bool:
        if self.place == len(self.files):
            return False
        values, labels = matrix(self.files[self.place], self.words)
        input_data(data=values, label=labels, feature_names=NAMES, feature_types=TYPES)
        self.place += 1
        return True

    def reset(self) -> None:
        self.place = 0


def main(mode: str, folder: str, test: str) -> None:
    import pyarrow.compute  # noqa: F401

    files = sorted(Path(folder).glob("*.parquet"))
    words: dict[str, list[str]] = {}
    threads = len(os.sched_getaffinity(0))
    how = {"objective": "binary:logistic", "tree_method": "hist", "max_depth": 6, "nthread": threads}
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(dir=Path(folder).parent) as pages:
        if mode == "external":
            rows = xgboost.ExtMemQuantileDMatrix(Files(files, words, str(Path(pages, "page"))), enable_categorical=True, nthread=threads)
        else:
            counts = [pq.ParquetFile(path).metadata.num_rows for path in files]
            values, labels = np.empty((sum(counts), len(NAMES)), dtype=np.float32), np.empty(sum(counts), dtype=np.float32)
            at = 0
            for path, count in zip(files, counts, strict=True):
                _, labels[at : at + count] = matrix(path, words, values[at : at + count])
                at += count
            rows = xgboost.QuantileDMatrix(values, labels, feature_names=NAMES, feature_types=TYPES, enable_categorical=True, nthread=threads)
            del values
        print(f"{rows.num_row()} rows read: {time.monotonic() - begun:.1f} s")
        booster = xgboost.train(how, rows, ROUNDS)
        fitted = time.monotonic() - begun
    values, labels = matrix(Path(test), words)
    tested = xgboost.DMatrix(values, feature_names=NAMES, feature_types=TYPES, enable_categorical=True, nthread=threads)
    right = (booster.predict(tested) > 0.5) == (labels == 1)
    print(json.dumps({"accuracy": float(right.mean()), "fit_seconds": round(fitted, 1), "version": xgboost.__version__}))


if __name__ == "__main__":
    main(*sys.argv[1:])
