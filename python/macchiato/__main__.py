"""``python -m macchiato fit 'rows/*.parquet' --target y``: :func:`macchiato.fit_table` for files, by a command.

The compiled command has no engine: its ``fit --engine duckdb`` starts this one with the same words, and what this one writes, that one reads.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from . import MacchiatoError, MissingExtraError, fit_table

# Options that are parameters of the classifier: the word, the parameter, the type, what it is.
_PARAMETERS: list[tuple[list[str], str, Any, str]] = [
    (["-k"], "max_inputs", int, "inputs of a stage at most"),
    (["-m"], "max_stages", int, "stages at most"),
    (["--seed"], "random_state", int, "the seed of every random choice"),
    (["--effort"], "effort", int, "how much to try, from 1 (quick) to 9 (thorough)"),
    (["--pick"], "pick", str, "which circuit to take: score, best, simplest-within=0.01 or max-conditions=12"),
    (["--gates"], "gates", str, "gates that the circuit may have"),
    (["--tau"], "tau", float, "with --method paper: choose only inputs whose influence is above this"),
    (["--threads"], "n_jobs", int, "threads of the search"),
]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m macchiato", description="Learn from files of any number of rows, in DuckDB.", allow_abbrev=False
    )
    fit = parser.add_subparsers(required=True).add_parser(
        "fit", help="learn a model from Parquet or CSV files", allow_abbrev=False
    )
    fit.add_argument("rows", help="a path or a glob; quote it, so that the shell leaves it alone")
    fit.add_argument("--engine", choices=["duckdb"], default="duckdb", help="what counts the rows")
    fit.add_argument("--target", required=True, help="the column to predict")
    fit.add_argument("--key", help="a column that tells rows apart; the sample is drawn by its hash")
    fit.add_argument("-o", "--out", help="where the model goes")
    fit.add_argument("--method", choices=["auto", "paper"], default="auto", help="how to learn")
    fit.add_argument("--sample", type=int, default=65_536, help="rows that are searched, about")
    fit.add_argument("--exclude", metavar="NAME,...", help="columns that the rule may not read")
    for words, parameter, kind, what in _PARAMETERS:
        # What is not given is the classifier's own default.
        fit.add_argument(*words, dest=parameter, type=kind, default=argparse.SUPPRESS, help=what)
    # The compiled command takes it before its subcommand, too.
    parser.add_argument("--threads", dest="n_jobs", type=int, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    fit.add_argument("-q", "--quiet", action="store_true", help="say nothing")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, write, and say what was learned; 2 where that cannot be, 130 after Ctrl-C, as in the compiled command."""
    given = _parser().parse_args(arguments)
    parameters = {name: getattr(given, name) for _, name, _, _ in _PARAMETERS if name in given}
    if given.exclude is not None:
        parameters["exclude"] = given.exclude.split(",")
    try:
        rule = fit_table(
            given.rows,
            given.target,
            given.key,
            sample=given.sample,
            verbose=0 if given.quiet else 1,
            method=given.method,
            **parameters,
        )
        if given.out is not None:
            rule.save(given.out)
    except (MacchiatoError, MissingExtraError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted: nothing was written", file=sys.stderr)
        return 130
    if given.quiet:
        return 0
    for circuit in rule.circuit_ if isinstance(rule.circuit_, list) else [rule.circuit_]:
        print(circuit)
    wrong, rows = rule.table_["wrong"], rule.table_["rows"]
    print(f"{wrong} of {rows} rows wrong")
    bound = rule.table_.get("error_bound")
    if bound:
        print(f"errs on at most {bound['bound']:.3%} of such rows, with a confidence of {bound['confidence']:g} ({bound['rows']} fresh rows)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
