"""What a table can be given as, and the engine that answers for it."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ._engine import DuckDb, Engine, Spark, missing
from ._files import check_files, find_files, read_files, written_whole
from ._macchiato import FrameError

_numbers = itertools.count()


@dataclass
class Source:
    """A table in an engine."""

    engine: Engine
    #: What stands after FROM.
    table: str
    #: What messages call it.
    name: str
    #: Rows, where the files say so themselves.
    rows: int | None = None


def open_source(source: Any) -> Source:
    """The engine and the name of a table.

    `source` is a path or glob of Parquet or CSV files, a DuckDB relation, a pair of a DuckDB connection and a table's name, a Spark
    DataFrame, or an Ibis table over either.
    """
    if isinstance(source, str | os.PathLike):
        return _files(os.fspath(source))
    library, kind = type(source).__module__.partition(".")[0], type(source).__name__
    if isinstance(source, tuple) and len(source) == 2 and hasattr(source[0], "execute"):
        connection, table = source
        return Source(DuckDb(connection), str(table), str(table))
    if library in {"duckdb", "_duckdb"} and kind == "DuckDBPyRelation":
        return _relation(source)
    if library == "pyspark":
        name = f"macchiato_source_{next(_numbers)}"
        source.createOrReplaceTempView(name)
        return Source(Spark(source.sparkSession), name, "the DataFrame")
    if library == "ibis":
        return _ibis(source)
    raise FrameError(
        f"a table cannot be a {kind}: give a path of Parquet or CSV files, a DuckDB relation, (connection, table), "
        "a Spark DataFrame or an Ibis table"
    )


def _files(pattern: str) -> Source:
    try:
        import duckdb
    except ImportError:
        raise missing("duckdb", "duckdb") from None
    files = find_files(pattern)
    engine = DuckDb(duckdb.connect())
    # Order is not asked for, and costs memory.
    engine.ask("SET preserve_insertion_order = false")
    limit = os.environ.get("MACCHIATO_ENGINE_MEMORY")
    if limit:
        engine.ask(f"SET memory_limit = '{limit}'")
    return Source(engine, read_files(files), pattern, check_files(files, engine.ask) or None)


class _Relation(DuckDb):
    """A relation, which is asked under a name of its own."""

    def __init__(self, relation: Any, name: str) -> None:
        self.relation, self.name = relation, name

    def ask(self, sql: str) -> Any:
        with _ctrl_c():
            return self.relation.query(self.name, sql).to_arrow_table()

    def write(self, sql: str, out: str) -> None:
        with _ctrl_c():
            answer = self.relation.query(self.name, sql)
            if not out.endswith((".parquet", ".csv")):
                answer.create(out)
                return
            with written_whole(out) as partial:
                (answer.write_parquet if out.endswith(".parquet") else answer.write_csv)(partial)


@contextmanager
def _ctrl_c() -> Iterator[None]:
    """A relation does not give its connection, which could be interrupted: DuckDB looks for Ctrl-C itself, under a name of its own."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


def _relation(relation: Any) -> Source:
    name = f"macchiato_source_{next(_numbers)}"
    return Source(_Relation(relation, name), name, "the relation")


def _ibis(table: Any) -> Source:
    import ibis

    backend = table.get_backend()
    sql = f"({ibis.to_sql(table)}) AS macchiato_source"
    if backend.name == "duckdb":
        return Source(DuckDb(backend.con), sql, "the Ibis table")
    if backend.name == "pyspark":
        return Source(Spark(backend._session), sql, "the Ibis table")
    raise FrameError(f"an Ibis table of {backend.name}: there is an engine for DuckDB and for Spark")
