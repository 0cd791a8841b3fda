"""What is written appears whole or not at all, as the command writes it."""

from __future__ import annotations

import os

import pytest
from macchiato import Circuit, MacchiatoClassifier

RULE = MacchiatoClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 0, 0, 1] * 5)
CIRCUIT = Circuit(["a", "b"], [[[(0, True), (1, True)]]])
WRITERS = {
    "save": RULE.save,
    "to_onnx": RULE.to_onnx,
    "report": RULE.report,
    "export": lambda path: CIRCUIT.export("pla", path),
    "network": lambda path: CIRCUIT.compile().to_onnx(path),
    "certificate": lambda path: CIRCUIT.compile().certificate(path=path),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_files_are_replaced_through_links_and_nothing_is_left(write, tmp_path):
    (tmp_path / "link").symlink_to("file")
    write(tmp_path / "link")
    first = (tmp_path / "file").read_bytes()
    number = (tmp_path / "file").stat().st_ino
    write(os.fspath(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == first
    # A new file took the place of the old one, which any reader still has whole.
    assert (tmp_path / "file").stat().st_ino != number
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_what_cannot_be_written_is_named(write, tmp_path):
    with pytest.raises(FileNotFoundError, match="none/file: its folder does not exist"):
        write(tmp_path / "none" / "file")
    with pytest.raises(IsADirectoryError, match="name a file"):
        write(tmp_path)
