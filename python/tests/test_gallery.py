# SPDX-License-Identifier: Apache-2.0
"""The scripts of examples/gallery make the pictures of docs/gallery.md, to the last bit."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image")

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "examples" / "gallery").glob("*.py"))
PICTURES = ROOT / "docs" / "images" / "gallery"
PAGE = ROOT / "docs" / "gallery.md"
LARGEST_PICTURE = 250_000
"""Bytes: clones of the repository carry every version of a picture."""


def sections() -> dict[str, str]:
    """The text of docs/gallery.md about each script."""
    found = {}
    for section in PAGE.read_text().split("\n## ")[1:]:
        (name,) = re.findall(r"\]\(\.\./examples/gallery/(\w+)\.py\)", section)
        found[name] = section
    return found


def stripped(text: str) -> str:
    """The lines without indentation, which excerpts do not keep, and without empty ones."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_script_makes_its_pictures(script: Path, tmp_path: Path) -> None:
    if script.stem == "gis":
        pytest.importorskip("xarray")
    folder = tmp_path / "new" / "folder"
    run = subprocess.run(
        [sys.executable, script, "--out", folder],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("\n") >= 2, "a script prints some results"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new"]
    made = sorted(folder.iterdir())
    assert [path.name for path in made] == [
        path.name for path in sorted(PICTURES.glob(f"{script.stem}*.png"))
    ]
    for path in made:
        shown = PICTURES / path.name
        assert shown.stat().st_size < LARGEST_PICTURE
        np.testing.assert_array_equal(np.asarray(Image.open(path)), np.asarray(Image.open(shown)))


def test_page_shows_every_script_and_picture() -> None:
    assert sorted(sections()) == [script.stem for script in SCRIPTS]
    shown = re.findall(r"\]\(images/gallery/([\w-]+\.png)\)", PAGE.read_text())
    assert sorted(shown) == sorted(path.name for path in PICTURES.iterdir())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_excerpts_are_of_the_script(script: Path) -> None:
    code = stripped(script.read_text())
    excerpts = re.findall(r"```python\n(.*?)```", sections()[script.stem], flags=re.DOTALL)
    assert excerpts
    for excerpt in excerpts:
        assert stripped(excerpt) in code
