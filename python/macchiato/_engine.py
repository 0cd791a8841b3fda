"""The engines that hold tables: one question in SQL, one answer as an Arrow table.

An engine is anything with ``dialect`` and ``ask(sql)``. Nothing else of this package knows which one it talks to.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Protocol


class Engine(Protocol):
    """Where the rows are."""

    #: How it speaks: a dialect of ``to_sql``.
    dialect: str

    def ask(self, sql: str) -> Any:
        """The answer as a pyarrow Table. Ctrl-C ends the query, not only the waiting for it."""

    def write(self, sql: str, out: str) -> None:
        """Write the answer to a file or a table."""


class MissingExtraError(ImportError):
    """A package that the source needs is not installed."""


def missing(extra: str, package: str) -> MissingExtraError:
    """The error that names the extra."""
    return MissingExtraError(f"this source needs the package {package}: pip install 'macchiato[{extra}]'")


def interruptible(work: Callable[[], Any], stop: Callable[[], Any]) -> Any:
    """What `work` gives, done by another thread: Ctrl-C calls `stop` and waits for its end, so that nothing goes on behind a prompt.

    In the thread that gets the signal DuckDB looks for it in some statements and not in others, and makes another error of it.
    """
    # Not the thread's own `join`, which takes a thread for ended when Ctrl-C ends the waiting.
    ended = threading.Event()
    given: list[Any] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            given.append(work())
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    # No daemon: the interpreter's end would cut it off within the engine.
    thread = threading.Thread(target=run)
    try:
        thread.start()
        ended.wait()
    except BaseException:
        # Again and again: a query that has not quite begun cannot be interrupted yet. A thread that is about to run is listed, too.
        while thread in threading.enumerate() and not ended.wait(0.02):
            stop()
        raise
    if failed:
        raise failed[0]
    return given[0]


class DuckDb:
    """A DuckDB connection."""

    dialect = "duckdb"

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def ask(self, sql: str) -> Any:
        """The answer as a pyarrow Table."""

        def answer() -> Any:
            # A statement that is no query has no relation.
            relation = self.connection.sql(sql)
            return None if relation is None else relation.to_arrow_table()

        return interruptible(answer, self.connection.interrupt)

    def write(self, sql: str, out: str) -> None:
        """Write the answer to a Parquet or CSV file, whole or not at all, or to a new table."""
        from ._files import written_whole

        kinds = {".parquet": "FORMAT parquet", ".csv": "FORMAT csv, HEADER"}
        kind = next((options for ending, options in kinds.items() if out.endswith(ending)), None)
        if kind is None:
            self.ask(f"CREATE TABLE {quoted(self.dialect, out)} AS {sql}")
            return
        with written_whole(out) as partial:
            self.ask(f"COPY ({sql}) TO {literal(self.dialect, partial)} ({kind})")


class Spark:
    """A Spark session."""

    dialect = "spark"
    _group = "macchiato"

    def __init__(self, session: Any) -> None:
        self.session = session

    def ask(self, sql: str) -> Any:
        """The answer as a pyarrow Table."""
        return self._run(lambda: self.session.sql(sql).toArrow())

    def write(self, sql: str, out: str) -> None:
        """Write the answer to a folder of Parquet or CSV files, or to a new table."""

        def write() -> None:
            writer = self.session.sql(sql).write.mode("error")
            if out.endswith(".csv"):
                writer.option("header", True).csv(out)
            elif out.endswith(".parquet") or "/" in out:
                writer.parquet(out)
            else:
                writer.saveAsTable(out)

        self._run(write)

    def _run(self, work: Callable[[], Any]) -> Any:
        context = self.session.sparkContext
        context.setJobGroup(self._group, "macchiato", interruptOnCancel=True)
        try:
            return work()
        except BaseException:
            context.cancelJobGroup(self._group)
            raise
        finally:
            context.setLocalProperty("spark.jobGroup.id", None)


class Told:
    """An engine that says what it is asked, and how long the answer took."""

    def __init__(self, engine: Engine, tell: Callable[[str], Any]) -> None:
        self.engine, self.tell = engine, tell
        self.dialect = engine.dialect

    def ask(self, sql: str, what: str = "a question") -> Any:
        """The answer."""
        self.tell(f"{what} ...")
        begun = time.monotonic()
        answer = self.engine.ask(sql)
        self.tell(f"{what}: {time.monotonic() - begun:.1f} s")
        return answer

    def write(self, sql: str, out: str) -> None:
        """Write the answer."""
        self.tell(f"writing {out} ...")
        self.engine.write(sql, out)


def quoted(dialect: str, name: str) -> str:
    """A name as the engine reads it."""
    mark = "`" if dialect in {"spark", "sqlite"} else '"'
    return mark + name.replace(mark, mark + mark) + mark


def literal(dialect: str, value: Any) -> str:
    """A value of a column as the engine reads it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value!r}D" if dialect == "spark" else f"CAST({value!r} AS DOUBLE)"
    text = str(value)
    if dialect == "spark" and (set("\\'$") & set(text) or not text.isprintable()):
        return f"CAST(X'{text.encode().hex().upper()}' AS STRING)"
    return "'" + text.replace("'", "''") + "'"
