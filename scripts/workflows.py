"""Holds the workflows to having no logic of their own: python scripts/workflows.py FOLDER

A step either uses an action or runs one script of this repository, which can be tried without any account. Nothing that a stranger can
write, such as the title of a pull request, gets into a command; actions have a version, and jobs a time limit and no more rights than they need.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
# Two checkouts lie side by side where versions are compared.
COMMAND = re.compile(r"bash (?:after/)?((?:scripts|\.ci)/[\w-]+)((?: [\w./-]+)*)")


def faults(workflow: dict[Any, Any]) -> list[str]:
    """What is wrong with a workflow, in words."""
    found = []
    if "permissions" not in workflow:
        found.append("no permissions: a workflow begins with the least")
    for name, job in workflow.get("jobs", {}).items():
        if "timeout-minutes" not in job:
            found.append(f"{name}: no timeout-minutes")
        for number, step in enumerate(job.get("steps", []), 1):
            found += [f"{name}, step {number}: {words}" for words in faults_of_step(step)]
    return found


def faults_of_step(step: dict[str, Any]) -> list[str]:
    if "uses" in step:
        return [] if re.fullmatch(r"[\w.-]+(/[\w.-]+)+@[\w./-]+", step["uses"]) else [f"{step['uses']} has no version"]
    command = COMMAND.fullmatch(step.get("run", "").strip())
    if command is None:
        return [f"runs {step.get('run')!r}, which is not one script of the repository with plain arguments"]
    return [] if (ROOT / command[1]).is_file() else [f"there is no {command[1]}"]


def main(folder: str) -> int:
    files = sorted(Path(folder).glob("*.yml"))
    wrong = 0
    for file in files:
        for words in faults(yaml.safe_load(file.read_text(encoding="utf-8"))):
            print(f"{file.name}: {words}")
            wrong += 1
    print(f"workflows  {len(files)}, {wrong or 'no'} fault{'s' if wrong > 1 else ''}")
    return 0 if files and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
