# SPDX-License-Identifier: Apache-2.0
"""examples/simulation/cut_plate.py cuts its plate, counts shares right, and writes an animation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image")

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "simulation" / "cut_plate.py"


def run(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        cwd=folder, capture_output=True, text=True, timeout=300, check=True,
    ).stdout  # fmt: skip


@pytest.mark.parametrize("name", ["plate.png", "plate.gif"])
def test_animation_has_its_pictures(tmp_path: Path, name: str) -> None:
    printed = run(tmp_path, "--frames", "12", "--every", "4", "--out", f"new/{name}")
    assert printed.count("nodes changed") == 3
    assert "12 frames" in printed
    with Image.open(tmp_path / "new" / name) as picture:
        assert picture.size == (500, 200)
        assert picture.n_frames == 3


def test_pictures_of_the_other_program_are_packed(tmp_path: Path) -> None:
    pictures = [np.full((20, 30, 3), 60 * i, np.uint8) for i in range(4)]
    for i, picture in enumerate(pictures):
        Image.fromarray(picture).save(tmp_path / f"frame-{5 * i:03}.ppm")
    run(tmp_path, "--pack", ".", "--out", "all.png")
    with Image.open(tmp_path / "all.png") as packed:
        assert packed.n_frames == 4
        for i, picture in enumerate(pictures):
            packed.seek(i)
            np.testing.assert_array_equal(np.asarray(packed.convert("RGB")), picture)


def test_the_program_in_cpp_says_the_same(tmp_path: Path) -> None:
    printed = run(tmp_path)
    assert "300 frames, 19675 cells changed, lightest node 15.8\n" in printed
