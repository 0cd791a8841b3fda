"""``python -m macchiato fit 'rows/*.parquet' --target y``: :func:`macchiato.fit_table` for files, by a command.

The compiled command has no engine; what this one writes, that one reads.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import MacchiatoError, MissingExtraError, fit_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, write, and say what was learned; 1 where that cannot be, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m macchiato", description="Learn from files of any number of rows, in DuckDB.")
    fit = parser.add_subparsers(required=True).add_parser("fit", help="learn a model from Parquet or CSV files")
    fit.add_argument("rows", help="a path or a glob; quote it, so that the shell leaves it alone")
    fit.add_argument("--target", required=True, help="the column to predict")
    fit.add_argument("--key", help="a column that tells rows apart; the sample is drawn by its hash")
    fit.add_argument("--out", required=True, help="where the model goes")
    fit.add_argument("--method", choices=["auto", "paper"], default="auto", help="how to learn")
    fit.add_argument("--sample", type=int, default=65_536, help="rows that are searched, about")
    fit.add_argument("--seed", type=int, default=0, help="the seed of every random choice")
    fit.add_argument("--quiet", action="store_true", help="do not say what is asked")
    given = parser.parse_args(arguments)
    try:
        rule = fit_table(
            given.rows,
            given.target,
            given.key,
            sample=given.sample,
            verbose=0 if given.quiet else 1,
            method=given.method,
            random_state=given.seed,
        )
        rule.save(given.out)
    except (MacchiatoError, MissingExtraError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: nothing was written", file=sys.stderr)
        return 130
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
