"""One fit of `lab engines`, in a process of its own.

    fit.py duckdb FOLDER OUT EFFORT       MACCHIATO_ENGINE_MEMORY limits it
    fit.py spark FOLDER OUT EFFORT URL    a Spark master
    fit.py memory FOLDER OUT EFFORT

Learns from the Parquet files of FOLDER, writes the model to OUT/model.json and predictions of every row to OUT/predicted.parquet, and prints one
JSON object at the end.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path

from macchiato import fit_table


def session(url: str):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(url).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.sql.shuffle.partitions", "8").config("spark.driver.memory", "1g")
    return builder.config("spark.executor.memory", "1500m").config("spark.log.level", "OFF").getOrCreate()


def main(engine: str, folder: str, out: str, effort: str, *url: str) -> None:
    source: object = f"{folder}/*.parquet"
    if engine == "spark":
        source = session(*url).read.option("mergeSchema", "true").parquet(folder)
    elif engine == "memory":
        import pyarrow.parquet as pq

        source = pq.read_table(folder)
    begun = time.monotonic()
    rule = fit_table(source, "y", key="id", verbose=1, effort=int(effort))
    fitted = time.monotonic() - begun
    rule.save(Path(out, "model.json"))
    columns = {rule._model.columns[rule._model.bit_columns[bit]][0] for bit in rule.circuit_.support}
    written = Path(out, "predicted.parquet")
    shutil.rmtree(written) if written.is_dir() else written.unlink(missing_ok=True)
    if engine == "memory":
        import pyarrow as pa

        inputs = source.drop_columns(["id", "y"])
        answers = {"id": source["id"], "prediction": pa.array(rule.predict(inputs)), "probability": rule.predict_proba(inputs)[:, 1]}
        pq.write_table(pa.table(answers), written)
    else:
        rule.predict_table(source, str(written), keep=["id"], verbose=1)
    found = {key: rule.table_[key] for key in ("rows", "sample", "wrong", "error_bound", "confusion", "searches")}
    print(json.dumps({"circuit": str(rule.circuit_), "columns": sorted(columns), "fit_seconds": round(fitted, 1), "table": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
