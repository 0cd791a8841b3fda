"""The scripts that workflows and releases are made of: what they accept, and that they notice what is wrong.

    python -m unittest discover scripts/tests      needs PyYAML
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))

import examples  # noqa: E402
import versions  # noqa: E402
import workflows  # noqa: E402


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def run_script(self, name: str, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
        command = ["bash", str(SCRIPTS / name), *map(str, arguments)]
        # Programs of this folder are found first: they stand in for those that need an account.
        path = f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path, **variables})

    def stand_in(self, name: str) -> Path:
        """A program that writes its arguments to a file, one a line."""
        said = self.folder / f"{name}.said"
        program = self.file(name, f'#!/bin/sh\nprintf "%s\\n" "$@" >"{said}"\n')
        program.chmod(0o755)
        return said


class Workflows(unittest.TestCase):
    def workflow(self, **step: object) -> dict[str, object]:
        return {"permissions": {}, "jobs": {"one": {"timeout-minutes": 5, "steps": [step]}}}

    def test_a_script_of_the_repository_is_a_step(self):
        for run in ["bash scripts/lint", "bash .ci/run", "bash after/scripts/instructions count before before.tsv"]:
            self.assertEqual(workflows.faults(self.workflow(run=run)), [], run)

    def test_logic_in_a_workflow_is_a_fault(self):
        for run in [
            "cargo test",
            "bash scripts/lint && echo fine",
            "bash scripts/lint\nbash scripts/test",
            "bash scripts/lint $(whoami)",
            "bash scripts/lint ${{ github.event.pull_request.title }}",
            "bash scripts/not-there",
        ]:
            self.assertEqual(len(workflows.faults(self.workflow(run=run))), 1, run)

    def test_actions_have_a_version_and_jobs_limits(self):
        self.assertEqual(workflows.faults(self.workflow(uses="actions/checkout@v5")), [])
        self.assertEqual(len(workflows.faults(self.workflow(uses="actions/checkout"))), 1)
        bare = {"jobs": {"one": {"steps": []}}}
        self.assertEqual(workflows.faults(bare), ["no permissions: a workflow begins with the least", "one: no timeout-minutes"])


class Examples(InAFolder):
    def test_what_a_page_shows_is_what_is_printed(self):
        page = self.file("page.md", "```python\n>>> a = 20\n```\n\nThen\n\n```python\n>>> a + 1\n21\n```\n")
        self.assertEqual(examples.run(page), (2, 0))
        self.assertEqual(examples.main([str(page)]), 0)

    def test_another_output_and_no_example_at_all_are_failures(self):
        wrong = self.file("wrong.md", "```python\n>>> print('no matter')\n\n```\n")
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            shown, sys.stdout = sys.stdout, nowhere
            try:
                self.assertEqual(examples.run(wrong)[1], 1)
                self.assertEqual(examples.main([str(self.file("none.md", "```sh\nls\n```\n"))]), 1)
            finally:
                sys.stdout = shown


class Versions(InAFolder):
    def setUp(self):
        super().setUp()
        self.file("Cargo.toml", '[workspace.package]\nversion = "0.1.0"\n[workspace.dependencies]\nmacchiato = { path = "c", version = "0.1.0" }\nlibm = "0.1.0"\n')
        self.file("CITATION.cff", "version: 0.1.0\ntitle: M\n")
        self.file("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n")

    def test_every_place_is_written_and_nothing_else(self):
        versions.write("1.2.3", "2030-01-02", self.folder)
        cargo = (self.folder / "Cargo.toml").read_text()
        self.assertEqual(cargo.count("1.2.3"), 2)
        self.assertIn('libm = "0.1.0"', cargo)
        self.assertEqual((self.folder / "CITATION.cff").read_text(), "version: 1.2.3\ndate-released: 2030-01-02\ntitle: M\n")
        self.assertEqual(
            (self.folder / "CHANGELOG.md").read_text(),
            "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2030-01-02\n\n### Added\n\n- A.\n",
        )

    def test_a_second_release_needs_news_and_replaces_the_date(self):
        versions.write("1.2.3", "2030-01-02", self.folder)
        with self.assertRaisesRegex(versions.Fault, "nothing under"):
            versions.write("1.2.4", "2030-01-03", self.folder)
        log = self.folder / "CHANGELOG.md"
        log.write_text(log.read_text().replace("[Unreleased]\n", "[Unreleased]\n\n- B.\n"))
        with self.assertRaisesRegex(versions.Fault, "there already"):
            versions.write("1.2.3", "2030-01-03", self.folder)
        versions.write("1.3.0-rc.1", "2030-02-03", self.folder)
        self.assertIn("version: 1.3.0-rc.1\ndate-released: 2030-02-03\n", (self.folder / "CITATION.cff").read_text())

    def test_what_is_no_version_writes_nothing(self):
        before = (self.folder / "Cargo.toml").read_text()
        for version in ["1.2", "v1.2.3", "1.2.03", "1.2.3+build", "1.2.3-nightly", ""]:
            with self.assertRaises(versions.Fault, msg=version):
                versions.write(version, "2030-01-02", self.folder)
        self.assertEqual((self.folder / "Cargo.toml").read_text(), before)


class Instructions(InAFolder):
    def change(self, before: str, after: str) -> str:
        result = self.folder / "change.md"
        done = self.run_script("instructions", "compare", self.file("b", before), self.file("a", after), result)
        self.assertEqual(done.returncode, 0, done.stderr)
        return result.read_text()

    def test_three_percent_are_said_and_less_is_not(self):
        self.assertEqual(self.change("fit\t1000\ncheck\t1000\n", "fit\t1029\ncheck\t971\nnew\t5\n"), "")
        said = self.change("fit it\t1000\ncheck\t1000\n", "fit it\t1030\ncheck\t970\n")
        self.assertIn("| fit it | 1000 | 1030 | +3.0 % |\n| check | 1000 | 970 | -3.0 % |\n", said)

    def test_nothing_to_say_makes_no_comment(self):
        said = self.stand_in("gh")
        quiet = self.run_script("comment-on-change", self.file("empty.md", ""), PULL_REQUEST="7")
        self.assertEqual((quiet.returncode, said.exists()), (0, False), quiet.stderr)
        page = self.file("change.md", "| fit |\n")
        loud = self.run_script("comment-on-change", page, PULL_REQUEST="7")
        self.assertEqual(loud.returncode, 0, loud.stderr)
        self.assertEqual(said.read_text().split("\n")[:-1], ["pr", "comment", "7", "--body-file", str(page)])

    @unittest.skipUnless(os.environ.get("MACCHIATO_COMMAND"), "MACCHIATO_COMMAND names no command")
    def test_every_work_is_work_of_this_version(self):
        """Each line of `work` runs, without valgrind, which a stand-in replaces."""
        stand_in = self.file("valgrind", '#!/bin/sh\nshift 2; log=${1#--log-file=}; shift\necho "== Collected : 12" >"$log"\nexec "$@"\n')
        stand_in.chmod(0o755)
        counts = self.folder / "counts.tsv"
        done = self.run_script("instructions", "count", SCRIPTS.parent, counts)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = counts.read_text().splitlines()
        self.assertGreaterEqual(len(lines), 6)
        self.assertTrue(all(line.endswith("\t12") for line in lines), lines)


class Counts(InAFolder):
    def counted(self, name: str, text: str) -> str:
        return self.run_script("count-tests", self.file(name, text)).stdout.strip()

    def test_every_runner_says_it_in_its_own_way(self):
        nextest = "     Summary [  1.2s] 12 tests run: 9 passed, 1 failed, 2 timed out, 3 skipped\n"
        self.assertEqual(self.counted("tests.log", nextest), "9 3 3")
        cargo = "test result: FAILED. 4 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.1s\n"
        self.assertEqual(self.counted("doctests.log", cargo * 2), "8 2 4")
        self.assertEqual(self.counted("Python-package.log", "1 failed, 20 passed, 3 skipped in 4.50s\n"), "20 1 3")
        self.assertEqual(self.counted("report-in-a-browser.log", "# pass 5\n# fail 1\n# skipped 2\n"), "5 1 2")
        self.assertEqual(self.counted("scripts-and-workflows.log", "Ran 14 tests in 1.8s\n\nFAILED (failures=1, errors=2, skipped=3)\n"), "8 3 3")
        self.assertEqual(self.counted("scripts-and-workflows.log", "Ran 14 tests in 1.8s\n\nOK\n"), "14 0 0")


class Releases(InAFolder):
    def test_files_are_attached_and_an_empty_folder_is_an_error(self):
        said = self.stand_in("gh")
        folder = self.folder / "dist"
        folder.mkdir()
        self.assertEqual(self.run_script("attach-to-release", folder, RELEASE="v1").returncode, 2)
        (folder / "program").touch()
        self.assertEqual(self.run_script("attach-to-release", folder, RELEASE="v1").returncode, 0)
        self.assertEqual(said.read_text().split("\n")[:-1], ["release", "upload", "v1", str(folder / "program")])

    def test_options_that_there_are_not_are_refused(self):
        for script, option in [("release", "--force"), ("publish-crates", "--force"), ("oldest-rust", "--force")]:
            self.assertEqual(self.run_script(script, option).returncode, 2, script)
        self.assertEqual(self.run_script("try-wheel", self.folder).returncode, 2)

    def test_the_oldest_rust_is_that_of_the_manifest(self):
        self.assertRegex(self.run_script("oldest-rust", "--version").stdout, r"^1\.\d+\.0\n$")


if __name__ == "__main__":
    unittest.main()
