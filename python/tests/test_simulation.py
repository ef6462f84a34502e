# SPDX-License-Identifier: Apache-2.0
"""examples/simulation/cut_plate.py cuts its plate, counts shares right, and writes an animation."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import thiessen

Image = pytest.importorskip("PIL.Image")

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "simulation" / "cut_plate.py"


def run(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        cwd=folder, capture_output=True, text=True, timeout=300, check=True,
    ).stdout  # fmt: skip


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cut_plate", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
        Image.fromarray(picture).save(tmp_path / f"frame-{5 * i:03}.png")
    run(tmp_path, "--pack", ".", "--out", "all.png")
    with Image.open(tmp_path / "all.png") as packed:
        assert packed.n_frames == 4
        for i, picture in enumerate(pictures):
            packed.seek(i)
            np.testing.assert_array_equal(np.asarray(packed.convert("RGB")), picture)


def test_shares_are_those_of_the_whole_plate() -> None:
    script = load()
    stiffness = script.make_plate()
    nodes = thiessen.random_sites(stiffness.shape, script.NODES, seed=1)
    solver = thiessen.CostSolver(stiffness, nodes)
    labels = solver.outputs.labels
    masses = np.zeros(script.NODES + 1)
    script.count_again(masses, np.arange(1, script.NODES + 1), labels, stiffness)
    for frame in range(0, 300, 20):
        first = script.first_cell(frame, 300)
        solver.update_box(first, np.zeros((3, 3)))
        stiffness[tuple(slice(place, place + 3) for place in first)] = 0
        changes = solver.solve()
        script.count_again(masses, nodes.ravel()[changes.sites], labels, stiffness)
        shares = thiessen.site_statistics(labels, field=stiffness)
        np.testing.assert_array_equal(masses[shares.labels], shares.mass)
        assert masses.sum() == pytest.approx(shares.mass.sum())
