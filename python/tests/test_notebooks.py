# SPDX-License-Identifier: Apache-2.0
"""The notebooks of examples/notebooks run, and hold no outputs."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NEEDS = {
    "geography": ("rasterio", "xarray", "pandas", "shapely"),
    "microscopy": ("scipy", "skimage", "pandas"),
    "distance-fields": ("PIL",),
}
SHOWS = ("_repr_html_", "_repr_png_", "__repr__")
"""What a notebook asks a value for, in this order."""


def cells_of(notebook: Path) -> list[dict[str, Any]]:
    return json.loads(notebook.read_text())["cells"]


def show(value: Any) -> object:
    """What a notebook shows of the value of the last line of a cell."""
    return next(getattr(value, name)() for name in SHOWS if hasattr(value, name))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_notebook_runs(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib import pyplot

    for package in NEEDS[notebook.stem]:
        pytest.importorskip(package)
    monkeypatch.chdir(FOLDER)
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells_of(notebook)):
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        where = f"{notebook.name}, cell {number}"
        exec(compile(tree, where, "exec"), names)
        if isinstance(last, ast.Expr):
            assert show(eval(compile(ast.Expression(last.value), where, "eval"), names))
    for number in pyplot.get_fignums():
        pyplot.figure(number).canvas.draw()
    pyplot.close("all")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_notebook_is_stripped(notebook: Path) -> None:
    """Outputs would be of somebody's machine, and each change of them a change of the file."""
    assert sorted(NEEDS) == [each.stem for each in sorted(NOTEBOOKS, key=lambda each: each.stem)]
    for cell in cells_of(notebook):
        assert cell["id"]
        assert not cell["metadata"]
        if cell["cell_type"] == "code":
            assert cell["execution_count"] is None
            assert cell["outputs"] == []
