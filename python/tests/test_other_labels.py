# SPDX-License-Identifier: Apache-2.0
"""The outputs of another label: what calls return and refuse; `test_oracle` has their cells."""

from __future__ import annotations

import numpy as np
import pytest
import thiessen

NAMES = ("other_labels", "other_distance", "other_site_index")


def test_masked_and_labelled_arrays():
    xarray = pytest.importorskip("xarray")
    cells = np.array([[1, 0, 0, 2]], dtype="u1")
    masked = np.ma.MaskedArray(cells, [[False, True, False, False]])
    found = thiessen.nearest_site(masked, outputs=NAMES)
    np.testing.assert_array_equal(found.other_labels.compressed(), [2, 1, 1])
    assert found.other_distance.mask.tolist() == [[False, True, False, False]]
    frame = xarray.DataArray(cells, coords={"y": [0.0], "x": [0.0, 2.0, 4.0, 6.0]}, dims=("y", "x"))
    found = thiessen.nearest_site(frame, outputs=NAMES)
    assert found.other_distance.values.tolist() == [[6, 4, 4, 6]]
    assert (
        found.other_distance.attrs["long_name"] == "distance to the nearest site of another label"
    )
    out = np.empty((1, 4), "u1")
    assert thiessen.nearest_site(cells, outputs="other_labels", out=out).other_labels is out
    assert out.tolist() == [[2, 2, 1, 1]]


def test_where_there_are_none():
    cells = np.array([[1, 0, 0, 2]], dtype="u1")
    with pytest.raises(RuntimeError, match="outputs of another label are wanted"):
        thiessen.nearest_site(cells, method="jfa", outputs="other_labels")
    with pytest.raises(ValueError, match="signed_distance = True; must be False"):
        thiessen.nearest_site(cells, signed_distance=True, outputs="other_labels")
    with pytest.raises(ValueError, match="of another label are wanted"):
        thiessen.CostSolver(cells, stiffness=np.ones((1, 4)), outputs="other_labels")
