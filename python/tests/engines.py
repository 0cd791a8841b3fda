"""The engines that tests ask for real: each runs a query over an Arrow table called `rows`, or says why it cannot be had."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest

# Floats that JSON and SQL literals would not carry go as bytes or as parameters.


def _run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **more)


class DuckDb:
    dialect = "duckdb"

    def __init__(self):
        self.connection = pytest.importorskip("duckdb").connect()

    def run(self, rows, sql):
        self.connection.register("rows", rows)
        return self.connection.sql(sql).to_arrow_table().to_pylist()


class Sqlite:
    dialect = "sqlite"

    def run(self, rows, sql):
        connection = sqlite3.connect(":memory:")
        names = [f"`{name.replace('`', '``')}`" for name in rows.column_names]
        connection.execute(f"CREATE TABLE rows ({', '.join(names)})")
        places = ", ".join("?" * len(names))
        values = zip(*(column.to_pylist() for column in rows.columns), strict=True)
        connection.executemany(f"INSERT INTO rows VALUES ({places})", values)
        cursor = connection.execute(sql)
        heads = [head[0] for head in cursor.description]
        return [dict(zip(heads, row, strict=True)) for row in cursor]


class Postgres:
    """A server of its own, on a socket in a folder of its own."""

    dialect = "postgres"

    def __init__(self):
        self.psycopg = pytest.importorskip("psycopg", reason="no psycopg")
        places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) if Path("/usr/lib/postgresql").exists() else []
        initdb = str(places[-1]) if places else shutil.which("initdb")
        if initdb is None:
            pytest.skip("no PostgreSQL server")
        self.folder = Path(tempfile.mkdtemp(prefix="macchiato-pg-"))
        self.bin = Path(initdb).parent
        self.user = {}
        if os.getuid() == 0:
            # The server does not run as root.
            import pwd

            try:
                account = pwd.getpwnam("postgres")
            except KeyError:
                pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self.user = {"user": "postgres", "cwd": self.folder}
        data = self.folder / "data"
        _run(initdb, "-D", data, "-U", "macchiato", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", **self.user)
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        _run(self.bin / "pg_ctl", "-D", data, "-w", "-l", self.folder / "log", "-o", options, "start", **self.user)

    def close(self):
        _run(self.bin / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop", **self.user)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, rows, sql):
        types = {"double": "double precision", "float": "real", "int64": "bigint", "int32": "integer", "bool": "boolean"}
        with self.psycopg.connect(host=str(self.folder), user="macchiato", dbname="postgres") as connection:
            columns = [
                '"{}" {}'.format(field.name.replace('"', '""'), types.get(str(field.type), "text")) for field in rows.schema
            ]
            connection.execute("DROP TABLE IF EXISTS rows")
            connection.execute(f"CREATE TABLE rows ({', '.join(columns)})")
            with connection.cursor().copy("COPY rows FROM STDIN") as copy:
                for row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
                    copy.write_row(row)
            cursor = connection.execute(sql)
            heads = [head.name for head in cursor.description]
            return [dict(zip(heads, row, strict=True)) for row in cursor]


class Spark:
    dialect = "spark"

    def __init__(self):
        if shutil.which("java") is None:
            pytest.skip("no Java")
        sql = pytest.importorskip("pyspark.sql", reason="no pyspark")
        builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
        builder = builder.config("spark.sql.shuffle.partitions", "4").config("spark.driver.memory", "1g")
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        self.folder = Path(tempfile.mkdtemp(prefix="macchiato-spark-"))
        self.count = 0

    def close(self):
        self.session.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, rows, sql):
        import pyarrow.parquet as pq

        self.count += 1
        path = self.folder / f"{self.count}.parquet"
        pq.write_table(rows, path)
        self.session.read.parquet(str(path)).createOrReplaceTempView("rows")
        return self.session.sql(sql).toArrow().to_pylist()


ENGINES = {"duckdb": DuckDb, "sqlite": Sqlite, "postgres": Postgres, "spark": Spark}


def arrow(columns):
    return pa.table(columns)
