"""Macchiato's classifier beside what a data scientist would pick instead, on the same folds of public tables.

    estimators.py measure --data FOLDER [--tables NAME,...] [--methods NAME,...] [--out FILE]
    estimators.py page [--out FILE] [--check]

`measure` fits every method with its defaults on five stratified folds of every table of FOLDER/tables and FOLDER/tables2 and of
scikit-learn's own, one after the other, each method in a process of its own that is ended where a fit takes longer than LIMIT. What
the results file has is not measured again. `page` writes the results as Markdown beside them.

All methods get the same columns as numbers. Fit times are CPU seconds of the process, so what else runs on the machine matters little.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

LIMIT = 150.0
FOLDS = 5
THREADS = 1
RESULTS = Path("lab/results/estimators.json")

# The five that are ranked, and those whose answer a person can read.
RANKED = ["boosted", "xgboost", "forest", "tree"]
READABLE = ["ebm", "figs", "tree", "ripper"]
OURS = {"macchiato": {}, "macchiato best": {"pick": "best"}}
# What the fit of the most accurate kept with so many conditions at most.
SHORT, MOST_READ = "macchiato 20", 20


def make(name: str) -> Any:
    """A method as its users get it."""
    if name in OURS:
        from macchiato import MacchiatoClassifier

        return MacchiatoClassifier(**OURS[name], n_jobs=THREADS, random_state=0, time_limit=0.9 * LIMIT)
    if name == "tree":
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(random_state=0)
    if name == "forest":
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(random_state=0, n_jobs=THREADS)
    if name == "boosted":
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(random_state=0)
    if name == "xgboost":
        from xgboost import XGBClassifier

        return XGBClassifier(random_state=0, n_jobs=THREADS)
    if name == "ebm":
        from interpret.glassbox import ExplainableBoostingClassifier

        return ExplainableBoostingClassifier(random_state=0, n_jobs=1)
    if name == "figs":
        from imodels import FIGSClassifier

        return FIGSClassifier(random_state=0)
    from wittgenstein import RIPPER

    return RIPPER(random_state=0)


METHODS = [*OURS, "boosted", "xgboost", "forest", "tree", "ebm", "figs", "ripper"]


def table(data: Path, name: str) -> tuple[Any, Any]:
    """The columns of a table as numbers, and its classes from 0 on."""
    import numpy as np
    import pandas as pd
    from sklearn import datasets

    kind, _, short = name.partition("/")
    if kind == "sklearn":
        bunch = getattr(datasets, f"load_{short}")()
        x, y = pd.DataFrame(bunch.data, columns=[f"x{i}" for i in range(bunch.data.shape[1])]), bunch.target
    else:
        frame = pd.read_csv(data / f"{name}.tsv", sep="\t")
        y = frame.pop("target").to_numpy()
        x = frame.rename(columns=str)
    # The largest class against the rest, as elsewhere in the project, of the first set of tables.
    if kind == "tables" and len(np.unique(y)) > 2:
        values, counts = np.unique(y, return_counts=True)
        return x, (y == values[counts.argmax()]).astype(int)
    return x, np.unique(y, return_inverse=True)[1]


def names(data: Path) -> list[str]:
    """All tables, those with few rows first."""
    files = [*(data / "tables").glob("*.tsv"), *(data / "tables2").glob("*.tsv")]
    own = [f"sklearn/{name}" for name in ["breast_cancer", "digits", "iris", "wine"]]
    return own + [f"{file.parent.name}/{file.stem}" for file in sorted(files, key=lambda file: file.stat().st_size)]


def figures(model: Any, method: str, x: Any, y: Any, train: Any, test: Any) -> dict[str, Any]:
    """Fits a method and judges it by rows that it has not seen."""
    began = time.process_time()
    model.fit(x.iloc[train], y[train])
    cpu = time.process_time() - began
    found = judged(model, method, x.iloc[test], y[test], int(y.max()) + 1)
    if method == "macchiato best":
        found[SHORT] = judged(model.at(MOST_READ), method, x.iloc[test], y[test], int(y.max()) + 1)
    return {**found, "cpu": cpu}


def judged(model: Any, method: str, x: Any, truth: Any, classes: int) -> dict[str, Any]:
    """A fitted method on rows that it has not seen."""
    import numpy as np
    from sklearn.metrics import log_loss, roc_auc_score

    answers = np.asarray(model.predict(x)).astype(int)
    found: dict[str, Any] = {"accuracy": float((answers == truth).mean())}
    if method != "ripper":
        chances = np.zeros((len(truth), classes))
        chances[:, np.asarray(model.classes_).astype(int)] = model.predict_proba(x)
        chances = np.clip(chances, 1e-9, None)
        chances /= chances.sum(axis=1, keepdims=True)
        if len(np.unique(truth)) == classes:
            if classes == 2:
                found["auc"] = float(roc_auc_score(truth, chances[:, 1]))
            else:
                found["auc"] = float(roc_auc_score(truth, chances, multi_class="ovr", average="macro"))
        found["log_loss"] = float(log_loss(truth, chances, labels=range(classes)))
        sure, right = chances.max(axis=1), chances.argmax(axis=1) == truth
        bins = np.minimum((sure * 10).astype(int), 9)
        gaps = [abs(float((right[bins == b] - sure[bins == b]).sum())) for b in np.unique(bins)]
        found["calibration_error"] = sum(gaps) / len(truth)
    if method in OURS:
        circuits = model.circuit_ if isinstance(model.circuit_, list) else [model.circuit_]
        found["conditions"] = max(circuit.n_conditions for circuit in circuits)
    return found


def work(method: str, data: Path, tasks: Any, answers: Any) -> None:
    """The process of one method: a table and a fold in, figures out."""
    warnings.simplefilter("ignore")
    known: tuple[str, Any, Any] | None = None
    while True:
        name, fold = tasks.get()
        try:
            from sklearn.model_selection import StratifiedKFold

            if known is None or known[0] != name:
                known = (name, *table(data, name))
            _, x, y = known
            if method in ("ripper", "figs") and y.max() > 1:
                answers.put({"left_out": "two classes only"})
                continue
            folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(x, y))
            answers.put(figures(make(method), method, x, y, *folds[fold]))
        except Exception as error:  # noqa: BLE001 (what a method fails with is a result)
            answers.put({"left_out": f"{type(error).__name__}: {error}"[:200]})


class Worker:
    """A process that can be ended in the midst of C code, and is started again for the next fit."""

    def __init__(self, method: str, data: Path) -> None:
        self.start = lambda: self._start(method, data)
        self.start()

    def _start(self, method: str, data: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self.tasks, self.answers = context.Queue(), context.Queue()
        self.process = context.Process(target=work, args=(method, data, self.tasks, self.answers), daemon=True)
        self.process.start()

    def ask(self, name: str, fold: int) -> dict[str, Any]:
        self.tasks.put((name, fold))
        end = time.monotonic() + 1.5 * LIMIT
        while time.monotonic() < end and self.process.is_alive():
            try:
                return self.answers.get(timeout=5)
            except Exception:  # noqa: BLE001, S110 (nothing yet)
                pass
        alive = self.process.is_alive()
        self.process.kill()
        self.process.join()
        self.start()
        return {"left_out": "over the limit" if alive else "the process ended"}


def rounded(figures: dict[str, Any]) -> dict[str, Any]:
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in figures.items()}


def written(results: dict[str, Any]) -> str:
    """The results as JSON, a fold a line."""
    tables = []
    for name, known in results["tables"].items():
        methods = []
        for method, folds in known.items():
            lines = ",\n    ".join(json.dumps(fold) for fold in folds)
            methods.append(f"   {json.dumps(method)}: [\n    {lines}\n   ]")
        tables.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(methods) + "\n  }")
    return '{\n "tables": {\n' + ",\n".join(tables) + "\n }\n}\n"


def measure(options: argparse.Namespace) -> None:
    """Fits what the results file does not have yet, and writes it after every table."""
    # Processes that are started from here read it when they load their libraries.
    os.environ["OMP_NUM_THREADS"] = str(THREADS)
    data = Path(options.data)
    results = json.loads(options.out.read_text()) if options.out.exists() else {"tables": {}}
    wanted = options.methods or METHODS
    workers: dict[str, Worker] = {}
    for name in options.tables or names(data):
        known = results["tables"].setdefault(name, {})
        for method in wanted:
            if method in known:
                continue
            if method not in workers:
                workers[method] = Worker(method, data)
            known[method] = []
            for fold in range(FOLDS):
                found = workers[method].ask(name, fold)
                short = found.pop(SHORT, None)
                known[method].append(rounded(found))
                if method == "macchiato best":
                    known.setdefault(SHORT, []).append(rounded(short or found))
                if found.get("left_out") in ("over the limit", "two classes only"):
                    break
        x, y = table(data, name)
        known["shape"] = [len(x), x.shape[1], int(y.max()) + 1]
        options.out.write_text(written(results))
        means = {m: sum(f.get("accuracy", 0) for f in known[m]) / FOLDS for m in wanted}
        print(name, *(f"{m} {v:.4f}" for m, v in means.items()), flush=True)
    for worker in workers.values():
        worker.process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["measure", "page"])
    parser.add_argument("--data", default=os.environ.get("MACCHIATO_DATA", ""))
    parser.add_argument("--tables", type=lambda text: text.split(","))
    parser.add_argument("--methods", type=lambda text: text.split(","))
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.command == "measure":
        measure(options)
    else:
        from estimators_page import page

        text = page(json.loads(options.out.read_text()))
        target = options.out.with_suffix(".md")
        if options.check and (not target.exists() or target.read_text() != text):
            sys.exit(f"{target} is not what {options.out} gives: run estimators.py page")
        if not options.check:
            target.write_text(text)


if __name__ == "__main__":
    main()
