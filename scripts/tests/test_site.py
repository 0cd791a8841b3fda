"""The site's hooks, and links of pages that the site does not have.

Needs mkdocs; without it these tests are skipped.
"""

from __future__ import annotations

import re
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

SCRIPTS = Path(__file__).resolve().parents[1]
ROOT = SCRIPTS.parent
sys.path.insert(0, str(SCRIPTS))

try:
    import site_hooks
except ModuleNotFoundError:
    site_hooks = None


@unittest.skipIf(site_hooks is None, "no mkdocs")
class Hooks(unittest.TestCase):
    def turned(self, markdown: str, here: str, there: set[str]) -> str:
        page = SimpleNamespace(file=SimpleNamespace(src_uri=here))
        files = SimpleNamespace(get_file_from_path=lambda uri: uri if uri in there else None)
        return site_hooks.on_page_markdown(markdown, page, files)

    def test_links_of_the_repository_become_links_of_the_site(self):
        there = {"learner.md", "people/researcher.md", "repository/lab/results/README.md", "tutorial.md", "repository/CONTRIBUTING.md", "gallery/iris.html"}
        for written, here, expected in [
            ("[a](../lab/results/README.md#b)", "results.md", "[a](repository/lab/results/README.md#b)"),
            ("[a](../learner.md)", "people/researcher.md", "[a](../learner.md)"),
            ("[a](docs/tutorial.py)", "repository/CONTRIBUTING.md", "[a](../tutorial.md)"),
            ("[a](../lab/results/gallery/iris.json)", "gallery.md", "[a](gallery/iris.html)"),
            ("[a](https://example.org/x.md), [b](#c)", "results.md", "[a](https://example.org/x.md), [b](#c)"),
        ]:
            self.assertEqual(self.turned(written, here, there), expected)

    def test_what_the_site_does_not_have_is_named_without_a_link(self):
        self.assertEqual(self.turned("see [deny.toml](deny.toml)", "repository/SECURITY.md", set()), "see deny.toml")

    def test_what_is_nowhere_stays_for_the_strict_build_to_find(self):
        self.assertEqual(self.turned("[a](nowhere.md)", "results.md", set()), "[a](nowhere.md)")

    def test_code_is_left_alone(self):
        code = "```text\n[a](deny.toml)\n```"
        self.assertEqual(self.turned(code, "repository/SECURITY.md", set()), code)

    def test_a_notebook_becomes_a_page(self):
        notebook = "# %% [markdown]\n# # Title\n#\n# Words.\n\n# %%\nx = 1\n"
        self.assertEqual(site_hooks.tour(notebook), "# Title\n\nWords.\n\n```python\nx = 1\n```\n")


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    text = re.sub(r"(?ms)^```.*?^```", "", page.read_text(encoding="utf-8"))
    titles = re.findall(r"(?m)^#+ (.*)$", text)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


class Readme(unittest.TestCase):
    def test_links_lead_somewhere(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not target.startswith("http")]
        self.assertGreater(len(targets), 30)
        for target in targets:
            path, _, anchor = target.partition("#")
            self.assertTrue((ROOT / path).is_file(), target)
            self.assertTrue(not anchor or anchor in headings(ROOT / path), target)


if __name__ == "__main__":
    unittest.main()
