"""The gallery: what is learned from ten real tables, and the page that shows it.

    python scripts/gallery.py --data FOLDER    learns again; FOLDER has tables/*.tsv and tables2/*.tsv of PMLB, which are not part of the repository
    python scripts/gallery.py --page           makes docs/gallery.md from the results
    python scripts/gallery.py --check          only says whether the page is the one that the results give

Results are lab/results/gallery.json and a model for each table in lab/results/gallery: rules and counts, no rows. A fifth of the rows is put aside by a
fixed seed and only counted at the end. Needs macchiato and pandas to learn, nothing to make the page. What a person learns is in gallery_notes.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from gallery_notes import BOOKS, TABLES, Table

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "lab" / "results" / "gallery.json"
MODELS = ROOT / "lab" / "results" / "gallery"
PAGE = ROOT / "docs" / "gallery.md"
# Longer rules are shown by their best circuit of at most so many conditions.
READABLE = 12


def read(table: Table, data: Path) -> tuple[Any, Any]:
    """The columns, with codes in words where the table's own description has them, and the answers."""
    import pandas as pd
    import sklearn.datasets

    if table.loader:
        loaded = getattr(sklearn.datasets, table.loader)(as_frame=True)
        columns, target = loaded.data, loaded.target
    else:
        found = [path for folder in ("tables", "tables2") if (path := data / folder / f"{table.name}.tsv").is_file()]
        if not found:
            raise FileNotFoundError(f"no {table.name}.tsv in {data}")
        columns = pd.read_csv(found[0], sep="\t")
        target = columns.pop("target")
    for column, words in BOOKS.get(table.name, {}).items():
        columns[column] = columns[column].map(words)
    # The rule is that of the last class in order, which is "yes".
    return columns, target.isin(table.yes).map({True: "yes", False: "no"}).rename(table.target)


def learn(table: Table, data: Path) -> dict[str, Any]:
    from macchiato import MacchiatoClassifier
    from sklearn.model_selection import train_test_split

    columns, answers = read(table, data)
    X, X_aside, y, y_aside = train_test_split(columns, answers, test_size=0.2, random_state=0, stratify=answers)
    rule = MacchiatoClassifier().fit(X, y)
    MODELS.mkdir(exist_ok=True)
    rule.save(MODELS / f"{table.name}.json")
    sizes = [size["conditions"] for size in rule.path_ if size["conditions"] > 0]
    at = {size: rule.at(size) for size in sizes}
    shown = max((size for size in sizes if size <= READABLE), default=None)
    front = [{"conditions": size, "aside": round(model.score(X_aside, y_aside), 4), "rule": str(model.circuit_)} for size, model in at.items()]
    return {
        "rows": len(columns),
        "columns": columns.shape[1],
        "aside": len(y_aside),
        "always": round(float((y_aside == y.mode()[0]).mean()), 4),
        "pick": {"aside": round(rule.score(X_aside, y_aside), 4), "rule": str(rule.circuit_)},
        "readable": shown,
        "front": front,
        "bound": round(rule.error_bound(X_aside, y_aside), 4),
    }


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def section(table: Table, found: dict[str, Any]) -> str:
    pick, fronts = found["pick"], {size["conditions"]: size for size in found["front"]}
    short = fronts.get(found["readable"])
    lines = [f"## {table.title}", "", f"{table.question} {found['rows']:,} rows of {found['columns']} columns, from {table.source}.", ""]
    readable = len(pick["rule"]) <= 600
    if readable:
        lines += [f"`{pick['rule']}`", ""]
    elif short:
        lines += [f"The pick is long; the best of at most {found['readable']} conditions reads", "", f"`{short['rule']}`", ""]
    lines += ["| conditions | right on rows put aside |", "|---:|---:|", f"| 0, always the more frequent answer | {percent(found['always'])} |"]
    lines += [f"| {size} | {percent(entry['aside'])} |" for size, entry in fronts.items() if size <= 60]
    lines += [f"| **the pick** | **{percent(pick['aside'])}** |", ""]
    lines += [f"With 95 % confidence it errs on at most {percent(found['bound'])} of such rows ({found['aside']} were put aside).", ""]
    lines += [f"**What a person learns.** {table.learned}", "", f"[Its report](../lab/results/gallery/{table.name}.json)", ""]
    return "\n".join(lines)


HEAD = """# Gallery

Ten real tables, each learned with all options at their defaults from four fifths of its rows; the other fifth was only counted at the end. No rows are shown and none are
in this repository: only what was learned. Who takes the best line of a front after reading it here takes
one that looks a little too good. The reports behind the links are made from the model files in `lab/results/gallery` by `macchiato report`.

"""


def page() -> str:
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    foot = "Made from [gallery.json](../lab/results/gallery.json), which `python scripts/gallery.py --data FOLDER` writes.\n"
    return HEAD + "\n".join(section(table, results[table.name]) for table in TABLES) + "\n" + foot


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path)
    arguments.add_argument("--only", nargs="*", default=[])
    arguments.add_argument("--page", action="store_true")
    arguments.add_argument("--check", action="store_true")
    asked = arguments.parse_args()
    if asked.data:
        results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
        for table in TABLES:
            if not asked.only or table.name in asked.only:
                results[table.name] = learn(table, asked.data)
                print(table.name, results[table.name]["pick"], flush=True)
                RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    if asked.check:
        fresh = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page()
        print("the gallery is what its results give" if fresh else "docs/gallery.md is stale: run scripts/gallery.py --page")
        return 0 if fresh else 1
    if asked.page:
        PAGE.write_text(page(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
