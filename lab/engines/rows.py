"""The rows of `lab engines`: 40 mixed columns, a key, and a planted rule with noise, made from a seed, file by file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

#: Rows of a file; the same number and size always give the same rows.
PART = 1_000_000
#: The share of labels that are turned round.
NOISE = 0.02
#: The columns that the rule reads.
READ = ["b0", "c0", "k1", "x0"]

_COLOURS = np.array(["red", "green", "blue", "it's", "nothing"], dtype=object)
_TOWNS = np.array([f"town {i}" for i in range(20)], dtype=object)


def make(number: int, rows: int = PART) -> pa.Table:
    """A file's rows: 14 measures, 10 whole numbers, 8 Booleans, 8 texts, an identifier and the label."""
    columns, rule = _columns(number, rows)
    noisy = rule ^ (np.random.default_rng([number, 99]).random(rows) < NOISE)
    columns["y"] = pa.array(np.where(noisy, "yes", "no"))
    return pa.table(columns)


def planted(number: int, rows: int = PART) -> np.ndarray:
    """The labels of a file before the noise."""
    return _columns(number, rows)[1]


def _columns(number: int, rows: int) -> tuple[dict[str, pa.Array], np.ndarray]:
    rng = np.random.default_rng([number, 22])
    columns: dict[str, pa.Array] = {"id": pa.array(np.arange(number * PART, number * PART + rows))}
    measures, wholes, flags, texts = [], [], [], []
    for i in range(14):
        measures.append(rng.normal(0, 1, rows).round(3))
        # The last measures have gaps.
        mask = rng.random(rows) < 0.05 if i >= 12 else None
        columns[f"x{i}"] = pa.array(measures[-1], mask=mask)
    for i in range(10):
        wholes.append(rng.integers(0, 12 if i < 5 else 1000, rows, dtype=np.int32))
        columns[f"k{i}"] = pa.array(wholes[-1])
    for i in range(8):
        flags.append(rng.random(rows) < 0.5)
        columns[f"b{i}"] = pa.array(flags[-1])
    for i in range(8):
        words = _COLOURS if i < 4 else _TOWNS
        texts.append(rng.integers(0, len(words), rows, dtype=np.int32))
        columns[f"c{i}"] = pa.DictionaryArray.from_arrays(texts[-1], words.tolist()).cast(pa.string())
    rule = ((measures[0] > 0.25) & (texts[0] == 0)) ^ (flags[0] & (wholes[1] > 6))
    return columns, rule


def write(folder: Path, numbers: range, rows: int = PART) -> None:
    """Write files of these numbers, which a folder of more rows can share."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        pq.write_table(make(number, rows), folder / f"part-{number:03}.parquet", compression="zstd", row_group_size=125_000)
