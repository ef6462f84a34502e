# SPDX-License-Identifier: Apache-2.0
"""The table of regions that touch, against counts by NumPy."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest
import thiessen
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

LABELS = hnp.arrays(
    st.sampled_from([np.int8, np.uint16, np.int64, np.float32]),
    hnp.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=6),
    elements=st.integers(0, 4),
)


def columns(table: Any) -> dict[str, Any]:
    return {name: np.asarray(table[name]) for name in table}


@given(LABELS)
@settings(deadline=None)  # the first example imports pandas
def test_rows_are_those_of_slices(labels: np.ndarray) -> None:
    spacing = (2.0, 0.5, 0.25)[-labels.ndim :]
    area: dict[tuple[Any, Any], float] = {}
    surface: dict[Any, float] = {}
    for axis in range(labels.ndim):
        face = float(np.prod(spacing)) / spacing[axis]
        moved = np.moveaxis(labels, axis, 0)
        for a, b in zip(moved[:-1].ravel().tolist(), moved[1:].ravel().tolist()):
            if a != b:
                for label in (a, b):
                    surface[label] = surface.get(label, 0) + face
                if a and b:
                    pair = min(a, b), max(a, b)
                    area[pair] = area.get(pair, 0) + face
    found = columns(thiessen.touching(labels, spacing=spacing))
    assert found["a"].dtype == found["b"].dtype == labels.dtype
    assert list(zip(found["a"].tolist(), found["b"].tolist())) == sorted(area)
    assert found["boundary"].tolist() == [area[pair] for pair in sorted(area)]
    for side in "ab":
        assert found[f"surface_{side}"].tolist() == [surface[a] for a in found[side].tolist()]
        volumes = [(labels == a).sum() * np.prod(spacing) for a in found[side].tolist()]
        assert found[f"volume_{side}"].tolist() == volumes


def test_masks_coordinates_and_no_background() -> None:
    xarray = pytest.importorskip("xarray")
    frame = xarray.DataArray(
        [[1, 2], [0, 2]], dims=("y", "x"), coords={"y": [0.0, 3.0], "x": [0.0, 2.0]}
    )
    found = columns(thiessen.touching(frame))
    assert found["boundary"].tolist() == [3]
    assert found["surface_a"].tolist() == [5]
    assert found["surface_b"].tolist() == [6]
    whole = columns(thiessen.touching(frame, background=None, spacing=1))
    assert list(zip(whole["a"].tolist(), whole["b"].tolist())) == [(0, 1), (0, 2), (1, 2)]
    masked = columns(thiessen.touching(np.ma.masked_equal(frame.values, 0)))
    assert masked["surface_a"].tolist() == [1]
    corners = columns(thiessen.touching(np.array([[1, 0], [0, 2]]), connectivity=8))
    assert corners["contacts"].tolist() == [1]
    assert corners["boundary"].tolist() == [0]


def test_a_raster_of_one_region_has_no_rows() -> None:
    for labels in (np.zeros((3, 4), np.int32), np.ones((3, 4), bool), np.zeros((0, 4), np.uint8)):
        found = columns(thiessen.touching(labels))
        assert all(column.size == 0 for column in found.values())
        assert list(found)[:3] == ["a", "b", "contacts"]


def test_without_pandas_it_is_a_dict(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = np.array([[1, 2]])
    pandas = pytest.importorskip("pandas")
    assert isinstance(thiessen.touching(labels), pandas.DataFrame)
    genuine = builtins.__import__

    def refuse(name: str, *arguments: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return genuine(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    found = thiessen.touching(labels)
    assert isinstance(found, dict)
    assert found["volume_b"].tolist() == [1]


def test_progress_and_wrong_arguments() -> None:
    told: list[float] = []
    thiessen.touching(np.ones((50, 50), np.int32), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    with pytest.raises(ValueError, match="labels has 1 axes"):
        thiessen.touching(np.ones(4))
    with pytest.raises(ValueError, match=r"background = 0\.5; must be a value of"):
        thiessen.touching(np.ones((2, 2), int), background=0.5)
    with pytest.raises(ValueError, match="connectivity = 16"):
        thiessen.touching(np.ones((2, 2), int), connectivity=16)  # type: ignore[arg-type]
