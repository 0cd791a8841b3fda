"""Files of a table: found, read for their schemas before any row is, and written whole or not at all."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ._engine import literal, missing
from ._macchiato import FrameError


@contextmanager
def written_whole(path: str) -> Iterator[str]:
    """A name to write to, which becomes `path` when all went well."""
    partial = f"{path}.partial"
    try:
        yield partial
        os.replace(partial, path)
    finally:
        Path(partial).unlink(missing_ok=True)


def find_files(pattern: str) -> list[str]:
    """The files that a path or a glob names, in order."""
    found = sorted(glob.glob(pattern, recursive=True))
    if Path(pattern).is_dir():
        found = sorted(str(path) for path in Path(pattern).rglob("*") if path.suffix in {".parquet", ".csv"})
    if not found:
        raise FrameError(f"{pattern}: no such file")
    kinds = {Path(path).suffix for path in found}
    if kinds - {".parquet", ".csv"}:
        raise FrameError(f"{pattern}: {sorted(kinds)[0] or 'no'} ending: give Parquet or CSV files")
    if len(kinds) > 1:
        raise FrameError(f"{pattern}: some files are Parquet and some CSV: give one kind")
    return found


def read_files(files: Sequence[str]) -> str:
    """What stands after FROM in DuckDB, with the columns of every file by their names."""
    listed = "[" + ", ".join(literal("duckdb", path) for path in files) + "]"
    if files[0].endswith(".csv"):
        return f"read_csv({listed}, union_by_name = true, sample_size = -1)"
    return f"read_parquet({listed}, union_by_name = true)"


def check_files(files: Sequence[str], ask: Any) -> int:
    """Compare the files' schemas before anything is counted.

    A file that is unreadable or has no rows, a column that some file lacks and a type that differs are errors that name the file; engines
    pass over some of these in silence. Gives the number of rows, where the files say it themselves.
    """
    if files[0].endswith(".csv"):
        return _check_csv(files, ask)
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise missing("duckdb", "pyarrow") from None
    first: dict[str, str] = {}
    rows = 0
    for path in files:
        try:
            file = pq.ParquetFile(path)
            names, count = {field.name: str(field.type) for field in file.schema_arrow}, file.metadata.num_rows
            file.close()
        except Exception as error:
            raise FrameError(f"{path}: no Parquet file that can be read: {error}") from None
        if count == 0:
            raise FrameError(f"{path}: the file has no rows: remove it")
        first = first or names
        _compare(path, names, files[0], first)
        rows += count
    return rows


def _check_csv(files: Sequence[str], ask: Any) -> int:
    first: dict[str, str] = {}
    for path in files:
        if Path(path).stat().st_size == 0:
            raise FrameError(f"{path}: the file is empty: remove it")
        try:
            schema = ask(f"SELECT * FROM read_csv({literal('duckdb', path)}, sample_size = -1) LIMIT 1")
        except Exception as error:
            raise FrameError(f"{path}: no CSV file that can be read: {str(error).splitlines()[0]}") from None
        if schema.num_rows == 0:
            raise FrameError(f"{path}: the file has no rows: remove it")
        names = {field.name: str(field.type) for field in schema.schema}
        first = first or names
        _compare(path, names, files[0], first)
    return 0


def _compare(path: str, names: dict[str, str], first_path: str, first: dict[str, str]) -> None:
    for name in first:
        if name not in names:
            raise FrameError(f"{path}: no column {name!r}, which {first_path} has")
    for name, kind in names.items():
        if name not in first:
            raise FrameError(f"{path}: a column {name!r}, which {first_path} does not have")
        if kind != first[name]:
            raise FrameError(
                f"{path}: the column {name!r} is {kind}, and in {first_path} {first[name]}: write both with one type"
            )
