"""The page of `estimators.py`: bars, ranks, and the figures of every table."""

from __future__ import annotations

from math import exp, log
from statistics import fmean, median, stdev
from typing import Any

from estimators import FOLDS, LIMIT, OURS, RANKED, READABLE

Folds = list[dict[str, Any]]

NAMES = {
    "macchiato": "Macchiato",
    "macchiato best": "Macchiato, `pick=\"best\"`",
    "macchiato 20": "Macchiato, the same `at(20)`",
    "boosted": "boosted trees",
    "xgboost": "xgboost",
    "forest": "random forest",
    "tree": "decision tree",
    "ebm": "EBM",
    "figs": "FIGS",
    "ripper": "RIPPER",
}


def mean(folds: Folds, key: str) -> float | None:
    """Over the folds, where all of them have it."""
    values = [fold[key] for fold in folds if key in fold]
    return fmean(values) if len(values) == FOLDS else None


def ranks(tables: dict[str, dict[str, Folds]], ours: str) -> dict[str, float]:
    """Mean ranks by accuracy of five; equals share a rank, and who did not finish is last."""
    five = [ours, *RANKED]
    sums = dict.fromkeys(five, 0.0)
    for known in tables.values():
        values = {method: mean(known.get(method, []), "accuracy") or 0.0 for method in five}
        for method, value in values.items():
            above = sum(other > value + 1e-9 for other in values.values())
            equal = sum(abs(other - value) <= 1e-9 for other in values.values())
            sums[method] += above + (equal + 1) / 2
    return {method: total / len(tables) for method, total in sums.items()}


def differences(tables: dict[str, dict[str, Folds]], ours: str, other: str, key: str) -> dict[str, float]:
    """Ours less the other one's, of each table that both finished."""
    found = {}
    for name, known in tables.items():
        a, b = mean(known.get(ours, []), key), mean(known.get(other, []), key)
        if a is not None and b is not None:
            found[name] = a - b
    return found


def ratio(tables: dict[str, dict[str, Folds]], ours: str, other: str) -> float | None:
    """Geometric mean over tables of CPU seconds, ours over the other one's."""
    logarithms = [
        log(a / b)
        for known in tables.values()
        if (a := mean(known.get(ours, []), "cpu")) and (b := mean(known.get(other, []), "cpu"))
    ]
    return exp(fmean(logarithms)) if logarithms else None


def behind(tables: dict[str, dict[str, Folds]], ours: str) -> list[str]:
    """Tables on which a readable one is better by more than two points and the standard error of the folds' differences."""
    found = []
    for name, known in tables.items():
        for other in READABLE:
            a, b = known.get(ours, []), known.get(other, [])
            if mean(a, "accuracy") is None or mean(b, "accuracy") is None:
                continue
            lead = [y["accuracy"] - x["accuracy"] for x, y in zip(a, b)]
            if fmean(lead) > 0.02 + stdev(lead) / FOLDS**0.5:
                found.append(f"{name} ({NAMES[other]} +{100 * fmean(lead):.1f} points)")
    return found


def unfinished(tables: dict[str, dict[str, Folds]]) -> list[str]:
    """Who was ended at the limit, and where."""
    return [
        f"{NAMES[method]} on {name}"
        for name, known in tables.items()
        for method in NAMES
        if any(fold.get("left_out") == "over the limit" for fold in known.get(method, []))
    ]


def bars(tables: dict[str, dict[str, Folds]]) -> list[tuple[str, str, str, bool]]:
    """What is asked, what was measured, and whether that is enough."""
    rows = []
    for ours, most in (("macchiato best", 2.3), ("macchiato", 3.0)):
        rank = ranks(tables, ours)[ours]
        rows.append((f"mean rank of five, {NAMES[ours]}", f"at most {most}", f"{rank:.2f}", rank <= most))
    late = behind(tables, "macchiato best")
    rows.append(("behind a readable one by more than 2 points and the standard error", "never", ", ".join(late) or "never", not late))
    for ours in ("macchiato", "macchiato best"):
        auc = median(differences(tables, ours, "boosted", "auc").values())
        rows.append((f"AUC beside boosted trees, median difference, {NAMES[ours]}", "at least -0.01", f"{auc:+.4f}", auc >= -0.01))
        loss = differences(tables, ours, "boosted", "log_loss")
        share = sum(value <= 0 for value in loss.values())
        rows.append((f"log-loss at most that of boosted trees, {NAMES[ours]}", "half of the tables", f"{share} of {len(loss)}", 2 * share >= len(loss)))
        gaps = fmean(value for known in tables.values() if (value := mean(known.get(ours, []), "calibration_error")) is not None)
        rows.append((f"expected calibration error, mean, {NAMES[ours]}", "at most 0.04", f"{gaps:.4f}", gaps <= 0.04))
    for ours, least in (("macchiato", 0.8), ("macchiato 20", 1.0)):
        sizes = [fold["conditions"] for known in tables.values() for fold in known.get(ours, []) if "conditions" in fold]
        share = sum(size <= 20 for size in sizes) / len(sizes)
        rows.append((f"fits of 20 conditions or fewer, {NAMES[ours]}", f"{100 * least:.0f} %", f"{100 * share:.1f} %", share >= least))
    for other in ("boosted", "xgboost", "ebm"):
        times = ratio(tables, "macchiato", other)
        most = 1.0 if other == "ebm" else 3.0
        if times is not None:
            rows.append((f"CPU of a fit over that of {NAMES[other]}, geometric mean", f"at most {most:.0f}", f"{times:.1f}", times <= most))
    return rows


def over(finished: list[Folds], key: str) -> str:
    """The mean over tables of the means over folds."""
    values = [value for folds in finished if (value := mean(folds, key)) is not None]
    return f"{fmean(values):.4f}" if values else ""


def page(results: dict[str, Any]) -> str:
    """All of it as Markdown."""
    tables = {
        name: {method: folds for method, folds in known.items() if method != "shape"}
        for name, known in results["tables"].items()
        if all(method in known for method in [*OURS, *RANKED])
    }
    methods = [method for method in NAMES if any(method in known for known in tables.values())]
    lines = [
        "# The classifier beside what a data scientist would pick",
        "",
        f"Defaults only, {FOLDS} stratified folds, the same for all; every table of `tables` and `tables2` (PMLB) that was measured and scikit-learn's own. A fit may take {LIMIT:.0f} s.",
        "Tables of the first set with more than two classes are the largest class against the rest. A person reads *conditions*: literals on inputs; of several classes the circuit with most of them counts.",
        "",
        "| the bar | asked | measured | met |",
        "|---|---|---|---|",
    ]
    lines += [f"| {what} | {asked} | {measured} | {'yes' if met else '**no**'} |" for what, asked, measured, met in bars(tables)]
    late = unfinished(tables)
    lines += ["", f"Ended at the limit: {', '.join(late) or 'none'}.", "", "## Means over the tables that a method finished", ""]
    lines += ["| method | accuracy | AUC | log-loss | calibration error | CPU over Macchiato's | finished |", "|---|---:|---:|---:|---:|---:|---:|"]
    for method in methods:
        finished = [folds for known in tables.values() if mean(folds := known.get(method, []), "accuracy") is not None]
        means = [over(finished, key) for key in ("accuracy", "auc", "log_loss", "calibration_error")]
        times = ratio(tables, method, "macchiato")
        lines.append(f"| {NAMES[method]} | {' | '.join(means)} | {'' if times is None else f'{times:.2f}'} | {len(finished)} of {len(tables)} |")
    lines += ["", "## Accuracy, table by table", "", "| table | rows | columns | classes | " + " | ".join(NAMES[m] for m in methods) + " | conditions | with `best` |"]
    lines.append("|---|---:|---:|---:|" + "---:|" * (len(methods) + 2))
    for name, known in tables.items():
        shape = results["tables"][name]["shape"]
        values = [mean(known.get(method, []), "accuracy") for method in methods]
        shown = ["" if value is None else f"{value:.4f}" for value in values]
        sizes = [mean(known[ours], "conditions") for ours in list(OURS)[:2]]
        lines.append(f"| {name} | {' | '.join(map(str, shape))} | {' | '.join(shown)} | {' | '.join('' if s is None else f'{s:.1f}' for s in sizes)} |")
    lines += ["", "Made from [estimators.json](estimators.json), which has every fold, by `lab/peers/estimators.py page`.", ""]
    return "\n".join(lines)
