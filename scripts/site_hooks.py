"""What the site has beyond the pages in `docs`: pages that lie elsewhere in the repository, and the tour as a page.

Links between Markdown files are written for the repository, where people read them too. Here they are turned into links of the site: a file in
`docs` is a page, a file of `EXTRA` is one below `repository/`, and what is not part of the site is named without a link.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
EXTRA = ["ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "lab/results/*.md", "lab/results/*.json", "lab/results/*.svg"]
GALLERY = "lab/results/gallery/"
# `](target)` with an optional anchor; images too.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")


def place(path: str) -> str:
    """Where a file of the repository is in the site's sources. The tour is a page, and a model of the gallery its report."""
    if path == "docs/tutorial.py":
        return "tutorial.md"
    if path.startswith(GALLERY):
        return f"gallery/{Path(path).stem}.html"
    return path.removeprefix("docs/") if path.startswith("docs/") else f"repository/{path}"


def origin(uri: str) -> str:
    """The other way round."""
    return uri.removeprefix("repository/") if uri.startswith("repository/") else f"docs/{uri}"


def tour(text: str) -> str:
    """A notebook in the percent format as a page."""
    parts = re.split(r"(?m)^# %%(.*)\n", text)[1:]
    page = []
    for kind, body in zip(parts[::2], parts[1::2], strict=True):
        if "[markdown]" in kind:
            page.append(re.sub(r"(?m)^# ?", "", body).strip())
        else:
            page.append(f"```python\n{body.strip()}\n```")
    return "\n\n".join(page) + "\n"


def report(model: Path) -> bytes:
    """The page that `macchiato report` makes of a model."""
    command = os.environ.get("MACCHIATO_COMMAND")
    if not command:
        raise PluginError("MACCHIATO_COMMAND names no command to make the gallery's reports with")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        subprocess.run([Path(command).resolve(), "report", model, "--out", page], check=True, capture_output=True)
        return page.read_bytes()


def on_files(files: Files, config: Any) -> Files:
    for model in sorted((ROOT / GALLERY).glob("*.json")):
        files.append(File.generated(config, place(f"{GALLERY}{model.name}"), content=report(model)))
    files.append(File.generated(config, "tutorial.md", content=tour((ROOT / "docs/tutorial.py").read_text(encoding="utf-8"))))
    for pattern in EXTRA:
        for path in sorted(ROOT.glob(pattern)):
            files.append(File.generated(config, place(path.relative_to(ROOT).as_posix()), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    here = page.file.src_uri
    folder = posixpath.dirname(origin(here))

    def link(match: re.Match[str]) -> str:
        image, words, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, anchor = target.partition("#")
        uri = place(posixpath.normpath(posixpath.join(folder, path)))
        if files.get_file_from_path(uri) is None:
            # Something that is not there at all stays, and the strict build says so.
            return words if (ROOT / origin(uri)).exists() else match[0]
        relative = posixpath.relpath(uri, posixpath.dirname(here))
        return f"{image}[{words}]({relative}{'#' + anchor if anchor else ''})"

    # Fenced and indented code has no links.
    pieces = re.split(r"(?ms)^(```.*?^```$)", markdown)
    return "".join(piece if piece.startswith("```") else LINK.sub(link, piece) for piece in pieces)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    return ours(output, page.url.count("/"))


def on_post_template(output: str, template_name: str, **_: Any) -> str:
    return ours(output, 0)


def ours(html: str, depth: int) -> str:
    """Search from disk by a script of ours, where the theme would load one from elsewhere; and what screen readers miss in the theme."""
    html = html.replace("https://unpkg.com/iframe-worker/shim", f"{'../' * depth}theme/file-worker.js")
    html = html.replace('data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"')
    # A corner of a table that says nothing heads nothing.
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)
